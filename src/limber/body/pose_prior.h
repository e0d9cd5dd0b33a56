// SPDX-License-Identifier: MIT
// A Gaussian prior over the poses of people: for each part of the body, the mean of its rotation against the part above
// it and the precision about that mean. Both are learned from motion capture; the numbers are in
// resources/pose_prior.json (io/json/pose_prior_json.h).
//
//   phi = log(R mean^-1),   cost 1/2 phi' precision phi,   R = rotation of the part against the one above
//
// R is expressed in frames that are parallel to the figure's own axes in the T-pose: x to its left, y up, z forward.
// The rotation of the hips is relative to the figure's heading, and its precision about y is zero.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <string_view>
#include <vector>

#include "limber/body/anatomy.h"
#include "limber/kinematics/transform.h"

namespace limber {

enum class PriorPart {
  Hips,
  Spine,
  Chest,
  UpperChest,
  Neck,
  Head,
  Shoulder,
  UpperArm,
  LowerArm,
  Hand,
  UpperLeg,
  LowerLeg,
  Foot,
  Toes
};
inline constexpr int kPriorPartCount = 14;
std::string_view priorPartName(PriorPart part);  ///< as in the file: "upperArm"
bool isPaired(PriorPart part);                   ///< there is a left and a right one

/// The mean and precision of one part's rotation.
struct PriorJoint {
  Eigen::Quaterniond mean = Eigen::Quaterniond::Identity();
  Eigen::Matrix3d precision = Eigen::Matrix3d::Identity();  ///< 1 / square radians; symmetric
};

/// The prior of two successive parts combined, the upper part first: means multiply, covariances add.
PriorJoint joined(const PriorJoint& upper, const PriorJoint& lower);
/// The prior of one of `count` equal joints in a row that together have the given prior.
PriorJoint divided(const PriorJoint& whole, int count);
PriorJoint mirrored(const PriorJoint& left);

struct PosePrior {
  /// A correlation of two parts in a row: the joint precision of (phi(parent), phi(child)), instead of their separate
  /// ones.
  struct Coupling {
    PriorPart parent = PriorPart::UpperLeg, child = PriorPart::LowerLeg;
    Matrix6d precision = Matrix6d::Identity();
  };

  std::array<PriorJoint, kPriorPartCount> joints;  ///< of paired parts the left one
  std::vector<Coupling> couplings;

  PriorJoint joint(PriorPart part, BodySide side) const;
};

/// A coupling's precision for the right side.
Matrix6d mirrored(const Matrix6d& precision);

}  // namespace limber
