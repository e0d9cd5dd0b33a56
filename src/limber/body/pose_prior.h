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
#include <vector>

#include "limber/body/body_words.h"
#include "limber/kinematics/transform.h"

namespace limber {

/// The parts of the prior come first: all but digits, with Spine for the lowest third of the trunk.
inline constexpr int kPriorPartCount = static_cast<int>(BodyPart::Toes) + 1;

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
    BodyPart parent = BodyPart::UpperLeg, child = BodyPart::LowerLeg;
    Matrix6d precision = Matrix6d::Identity();
  };

  std::array<PriorJoint, kPriorPartCount> joints;  ///< of paired parts the left one
  std::vector<Coupling> couplings;

  PriorJoint joint(BodyPart part, BodySide side) const;
};

/// A coupling's precision for the right side.
Matrix6d mirrored(const Matrix6d& precision);

}  // namespace limber
