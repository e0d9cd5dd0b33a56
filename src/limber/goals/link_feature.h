// SPDX-License-Identifier: MIT
// Points and directions of a link, and how they move when the link does. Every goal's residual is a function of these,
// so every goal's derivatives are made of the ones here.
//
// The link moves with the twist (w; v) about kinematics.origin. With y = point - origin and a unit vector a:
//   d point = v + w x y       J = [-[y]x, 1]      d2 (m . point) = m . (w x (v + w x y))
//   d a     = w x a           J = [-[a]x, 0]      d2 (m . a)     = m . (w x (w x a))
#pragma once

#include "limber/kinematics/forward_kinematics.h"

namespace limber {

using FeatureJacobian = Eigen::Matrix<double, 3, 6>;

inline const Transform& worldFromLink(const Kinematics& kinematics, int link) {
  return kinematics.worldFromLink[static_cast<std::size_t>(link)];
}

/// (3 x 6) of a point given in the world.
inline FeatureJacobian pointJacobian(const Kinematics& kinematics, const Eigen::Vector3d& point) {
  FeatureJacobian jacobian;
  jacobian << -skew(point - kinematics.origin), Eigen::Matrix3d::Identity();
  return jacobian;
}

/// (3 x 6) of a direction given in the world.
inline FeatureJacobian directionJacobian(const Eigen::Vector3d& direction) {
  FeatureJacobian jacobian;
  jacobian << -skew(direction), Eigen::Matrix3d::Zero();
  return jacobian;
}

/// The second derivative of m . direction, symmetric (6 x 6), in the angular block alone.
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
