// SPDX-License-Identifier: MIT
// Points of a figure.
#pragma once

#include <Eigen/Core>

namespace limber {

/// A point that moves with a link.
struct FigurePoint {
  int link = 0;
  Eigen::Vector3d pointInLink = Eigen::Vector3d::Zero();  ///< metres
};

/// True for points of the same link that differ only by rounding.
inline bool isSamePoint(const FigurePoint& a, const FigurePoint& b) {
  return a.link == b.link && (a.pointInLink - b.pointInLink).norm() < 1e-9;
}

/// An observed point and the point of the figure that corresponds to it.
struct FitPoint {
  int observed = 0;  ///< index in the names of the observations
  FigurePoint point = {};
  double weight = 1.0;  ///< > 0
};

}  // namespace limber
