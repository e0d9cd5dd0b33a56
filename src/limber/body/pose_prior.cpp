// SPDX-License-Identifier: MIT
#include "limber/body/pose_prior.h"

#include "limber/kinematics/pose.h"

namespace limber {

namespace {

/// Across the plane x = 0 a rotation vector (x, y, z) becomes (x, -y, -z).
const Eigen::Vector3d kMirror(1.0, -1.0, -1.0);

}  // namespace

PriorJoint joined(const PriorJoint& upper, const PriorJoint& lower) {
  // log(R1 R2 Q2^-1 Q1^-1) = phi1 + Q1 phi2 to first order.
  const Eigen::Matrix3d turn = upper.mean.toRotationMatrix();
  const Eigen::Matrix3d covariance = upper.precision.inverse() + turn * lower.precision.inverse() * turn.transpose();
  return {(upper.mean * lower.mean).normalized(), covariance.inverse()};
}

PriorJoint divided(const PriorJoint& whole, int count) {
  return {exponential(logarithm(whole.mean) / count), count * whole.precision};
}

PriorJoint mirrored(const PriorJoint& left) {
  const Eigen::Quaterniond& q = left.mean;
  return {Eigen::Quaterniond(q.w(), q.x(), -q.y(), -q.z()),
          kMirror.asDiagonal() * left.precision * kMirror.asDiagonal()};
}

Matrix6d mirrored(const Matrix6d& precision) {
  Vector6d mirror;
  mirror << kMirror, kMirror;
  return mirror.asDiagonal() * precision * mirror.asDiagonal();
}

PriorJoint PosePrior::joint(BodyPart part, BodySide side) const {
  const PriorJoint& left = joints[static_cast<std::size_t>(part)];
  return side == BodySide::Right ? mirrored(left) : left;
}

}  // namespace limber
