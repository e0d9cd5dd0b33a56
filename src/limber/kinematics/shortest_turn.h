// SPDX-License-Identifier: MIT
#pragma once

#include <Eigen/Geometry>
#include <cmath>

namespace limber {

/// The shortest rotation from one direction to another. Neither may be zero; neither need be unit. For opposite
/// directions a half turn about an arbitrary, fixed axis. Eigen's function, out of line because it instantiates a
/// singular value decomposition.
Eigen::Quaterniond shortestTurn(const Eigen::Vector3d& from, const Eigen::Vector3d& to);

/// The angle between two directions, radians in [0, pi]; neither need be unit.
inline double angleBetween(const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

}  // namespace limber
