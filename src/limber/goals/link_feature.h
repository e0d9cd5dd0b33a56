// SPDX-License-Identifier: MIT
// Derivatives of points and directions of a link by its twist. The derivatives of most goals are made of these.
//
// The link moves with the twist (w; v) about kinematics.origin. With y = point - origin and a unit vector a:
//   d point = v + w x y       J = [-[y]x, 1]      d2 (m . point) = m . (w x (v + w x y))
//   d a     = w x a           J = [-[a]x, 0]      d2 (m . a)     = m . (w x (w x a))
#pragma once

#include "limber/kinematics/forward_kinematics.h"

namespace limber {

using FeatureJacobian = Eigen::Matrix<double, 3, 6>;

/// J of a point, (3 x 6). The point is in the world.
inline FeatureJacobian pointJacobian(const Kinematics& kinematics, const Eigen::Vector3d& point) {
  FeatureJacobian jacobian;
  jacobian << -skew(point - kinematics.origin), Eigen::Matrix3d::Identity();
  return jacobian;
}

/// J of a direction, (3 x 6). The direction is in world axes.
inline FeatureJacobian directionJacobian(const Eigen::Vector3d& direction) {
  FeatureJacobian jacobian;
  jacobian << -skew(direction), Eigen::Matrix3d::Zero();
  return jacobian;
}

/// The angular block of the second derivative of m . direction, symmetric (3 x 3); the other blocks are zero.
inline Eigen::Matrix3d directionCurvature(const Eigen::Vector3d& m, const Eigen::Vector3d& direction) {
  const Eigen::Matrix3d outer = m * direction.transpose();
  return 0.5 * (outer + outer.transpose()) - m.dot(direction) * Eigen::Matrix3d::Identity();
}

/// The second derivative of m . point, symmetric (6 x 6).
inline Matrix6d pointCurvature(const Kinematics& kinematics, const Eigen::Vector3d& m, const Eigen::Vector3d& point) {
  const Eigen::Vector3d y = point - kinematics.origin;
  Matrix6d curvature;
  curvature.topLeftCorner<3, 3>() = directionCurvature(m, y);
  curvature.bottomLeftCorner<3, 3>() = 0.5 * skew(m);
  curvature.topRightCorner<3, 3>() = -0.5 * skew(m);
  curvature.bottomRightCorner<3, 3>().setZero();
  return curvature;
}

}  // namespace limber
