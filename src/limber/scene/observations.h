// SPDX-License-Identifier: MIT
// Points observed over time: markers of a motion capture, joints detected in images, joints of another figure.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include <Eigen/Core>

namespace limber {

struct Observations {
  std::vector<std::string> names;          ///< of the points
  std::vector<double> weights;             ///< by point, >= 0
  std::vector<Eigen::Vector3d> positions;  ///< frameCount x names, row by row; metres, y up; NaN where missing
  int frameCount = 0;
  double frameTime = 1.0 / 30.0;  ///< seconds

  int pointCount() const { return static_cast<int>(names.size()); }
  const Eigen::Vector3d& position(int frame, int point) const { return positions[frame * names.size() + point]; }
  bool isSeen(int frame, int point) const { return position(frame, point).allFinite(); }

  static Eigen::Vector3d missing() { return Eigen::Vector3d::Constant(std::numeric_limits<double>::quiet_NaN()); }
};

}  // namespace limber
