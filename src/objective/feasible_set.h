// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "kinematics/pose.h"

namespace limber {

/// The poses that the joint limits allow: an interval for each revolute and prismatic joint. One for all solvers.
class FeasibleSet {
 public:
  FeasibleSet() = default;
  /// limits: one interval a joint; ignored for joints without a scalar coordinate. lower <= upper (asserted).
  FeasibleSet(const Figure& figure, std::span<const Interval> limits);

  /// Moves every scalar coordinate to the nearest value inside its interval; exact at the bounds.
  void project(Pose& pose) const;

  /// True when the coordinate (of the step) stands on a limit that a move against `gradient` would cross.
  bool isHeld(const Pose& pose, int coordinate, double gradient) const;

  /// Largest distance outside a limit, 0 inside.
  double violation(const Pose& pose) const;

 private:
  struct Bound {
    int poseIndex = -1;  ///< -1: not a bounded scalar
    Interval interval;
  };
  std::vector<Bound> bounds_;   ///< by step coordinate
  std::vector<int> bounded_;    ///< step coordinates that have a bound
};

}  // namespace limber
