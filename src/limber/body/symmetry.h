// SPDX-License-Identifier: MIT
// The bilateral symmetry of a figure: its mirror plane, and the mirror image of each joint.
//
// Plane and pairs are found by geometry, in the rest pose or, if that is not symmetric, with all joints at zero: a
// reflection that maps the tree onto itself, joint for joint. Names (body/body_words.h) suggest a further plane,
// identify the left side, decide between planes that fit equally well, and pair the joints alone if no plane fits. The
// frames of partners need not be mirror images. With S the reflection in the plane and W the rotations of links at
// rest,
//
//   C_i = W_i^T S W_j,   j the partner of i,   C_j = C_i^T
//
// maps vectors of link j to link i. A rotation of link i from rest by the vector v corresponds to one of link j by
// -C_i^T v.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "limber/body/anatomy.h"
#include "limber/kinematics/pose.h"

namespace limber {

/// A reflection of the world: x -> x - 2 (normal . x - offset) normal.
struct Mirror {
  Eigen::Vector3d normal = Eigen::Vector3d::UnitX();  ///< unit, to the figure's left
  double offset = 0.0;                                ///< metres

  Eigen::Vector3d imageOf(const Eigen::Vector3d& point) const {
    return point - 2.0 * (normal.dot(point) - offset) * normal;
  }
  Eigen::Vector3d directionOf(const Eigen::Vector3d& direction) const {
    return direction - 2.0 * normal.dot(direction) * normal;
  }
  /// The map of directionOf() as a matrix.
  Eigen::Matrix3d linear() const { return Eigen::Matrix3d::Identity() - 2.0 * normal * normal.transpose(); }
};

struct Symmetry {
  Eigen::Vector3d normal = Eigen::Vector3d::UnitX();  ///< unit, world at rest; points to the left side
  double offset = 0.0;                                ///< of the plane: normal . x = offset, metres
  std::vector<int> partner = {};                      ///< by link: itself in the middle, -1 for none
  std::vector<BodySide> side = {};                    ///< by link; Middle also without a partner
  std::vector<Eigen::Matrix3d> linkMirror = {};       ///< by link: C_i
  std::vector<Eigen::Matrix3d> jointMirror = {};      ///< by link: the same for the joint's frame at rest
  std::vector<double> sign = {};                      ///< by link: +-1, of a scalar joint's coordinate relative to rest
  Pose rest = {};                                     ///< the pose that is its own mirror image
  bool isByNames = false;                             ///< no plane fits: pairs by names alone, the plane between them
};

struct FoundSymmetry {
  std::shared_ptr<const Symmetry> symmetry = {};  ///< null if the figure is not symmetric
  std::string note = {};                          ///< why it is null, or a remark; may be empty
};

}  // namespace limber
