// SPDX-License-Identifier: MIT
#pragma once

#include <Eigen/Core>

namespace limber {

/// A point that moves with a link.
struct FigurePoint {
  int link = 0;
  Eigen::Vector3d pointInLink = Eigen::Vector3d::Zero();  ///< metres
};

}  // namespace limber
