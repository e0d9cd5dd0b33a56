// SPDX-License-Identifier: MIT
// The two sides of a figure: which joint is the mirror image of which, in which plane.
//
// The plane and the pairs are found in the pose of rest (where that is not symmetric, with all joints at zero), by
// geometry: a plane of reflection that takes the tree onto itself, joint for joint. Names (problem/sided_name.h) are
// another way to a plane, say which side is the left one, decide where several planes fit equally well, and stand alone
// where no plane fits. The frames of partners need not be mirror images: with S the reflection of the plane and W the
// rotations of links at rest,
//
//   C_i = W_i^T S W_j,   j the partner of i,   C_j = C_i^T
//
// takes what is told in link j to link i. A turn by the vector v of link i from its rest is one by -C_i^T v of link j.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "limber/kinematics/pose.h"
#include "limber/problem/anatomy.h"

namespace limber {

struct Symmetry {
  Eigen::Vector3d normal = Eigen::Vector3d::UnitX();  ///< unit, world at rest; points to the left side
  double offset = 0.0;                                ///< of the plane: normal . x = offset, metres
  std::vector<int> partner;                           ///< by link: itself in the middle, -1 for none
  std::vector<BodySide> side;                         ///< by link; Middle too where there is no partner
  std::vector<Eigen::Matrix3d> linkMirror;            ///< by link: C_i
  std::vector<Eigen::Matrix3d> jointMirror;           ///< by link: the same for the joint's frame at rest
  std::vector<double> sign;                           ///< by link: of a scalar joint's coordinate from its rest, +-1
  Pose rest;                                          ///< the pose that is its own mirror image
  bool isByNames = false;                             ///< no plane fits: pairs by names alone, the plane between them
};

struct FoundSymmetry {
  std::shared_ptr<const Symmetry> symmetry;  ///< null when there is none
  std::string note;                          ///< why there is none, or what is to be known about it; may be empty
};

/// fails  never: a figure without two sides gets a sentence in its place
/// cost   about links x candidates of planes (at most 64); a figure that does not branch O(links)
FoundSymmetry findSymmetry(const Figure& figure);

}  // namespace limber
