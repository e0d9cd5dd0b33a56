// SPDX-License-Identifier: MIT
#pragma once

#include <Eigen/Geometry>

namespace limber {

/// The shortest turn from one direction to another; neither is zero, and neither need be of length one. For opposite
/// directions a half turn about an arbitrary, fixed axis. Eigen's, compiled once: it needs a singular value
/// decomposition.
Eigen::Quaterniond shortestTurn(const Eigen::Vector3d& from, const Eigen::Vector3d& to);

}  // namespace limber
