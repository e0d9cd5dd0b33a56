// SPDX-License-Identifier: MIT
// How people stand: for each part of the body a mean rotation against the part above it, and how readily it leaves that
// mean. Learned from motion capture; the numbers are in resources/pose_prior.json (io/json/pose_prior_json.h).
//
//   phi = log(R mean^-1),   cost 1/2 phi' precision phi,   R = rotation of the part against the one above
//
// R is told in frames that stand parallel to the figure's own axes in the T-pose: x to its left, y up, z forward. That
// of the hips is against the figure's heading, and its precision about y is zero.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <string_view>
#include <vector>

#include "limber/kinematics/transform.h"
#include "limber/problem/anatomy.h"

namespace limber {

enum class PriorPart {
  Hips, Spine, Chest, UpperChest, Neck, Head, Shoulder, UpperArm, LowerArm, Hand, UpperLeg, LowerLeg, Foot, Toes
};
inline constexpr int kPriorPartCount = 14;
std::string_view priorPartName(PriorPart part);  ///< as in the file: "upperArm"
bool isPaired(PriorPart part);                   ///< there is a left and a right one

/// Where a joint tends to, and its resistance to leaving it. Two joints in a row are one: joined().
struct PriorJoint {
  Eigen::Quaterniond mean = Eigen::Quaterniond::Identity();
  Eigen::Matrix3d precision = Eigen::Matrix3d::Identity();  ///< 1 / square radians; symmetric
};

/// Two parts in one step, the upper one first: means multiply, covariances add.
PriorJoint joined(const PriorJoint& upper, const PriorJoint& lower);
/// One of `count` equal joints in a row that together are the given one.
PriorJoint divided(const PriorJoint& whole, int count);
PriorJoint mirrored(const PriorJoint& left);

struct PosePrior {
  /// The joints of two parts in a row leave their means together: of (phi(parent), phi(child)), in place of what the
  /// two have of their own.
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
