// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "kinematics/coupling.h"
#include "kinematics/pose.h"

namespace limber {

/// What limits the poses of a figure: the user's changes of its own limits.
struct Limits {
  std::vector<Interval> intervals;          ///< one a joint; ignored for joints without a scalar coordinate
  std::vector<BallLimits> balls;            ///< one a joint; ignored for all but ball joints
  std::vector<char> couplingEnabled;        ///< one for each of the figure's couplings
  std::vector<char> linearLimitEnabled;     ///< one for each of the figure's linear limits
};

/// The figure's own limits, everything enabled.
Limits limitsOf(const Figure& figure);

/// Index: a joint; for LinearLower, LinearUpper and Equality one of the figure's linear limits.
enum class LimitKind { Lower, Upper, Swing, TwistLower, TwistUpper, LinearLower, LinearUpper, Equality };

/// A limit that holds a pose back.
struct ActiveLimit {
  LimitKind kind = LimitKind::Lower;
  int index = 0;            ///< see LimitKind
  double multiplier = 0.0;  ///< how far f falls for each radian (metre) that it gives way; >= 0 but for equalities

  bool operator==(const ActiveLimit&) const = default;
};

/// The poses that the limits and couplings allow. One for all solvers.
class FeasibleSet {
 public:
  FeasibleSet() = default;
  FeasibleSet(const Figure& figure, Limits limits);

  const Couplings& couplings() const { return couplings_; }

  /// Says which step coordinates a solver may change; the others stay where they are.
  void bind(const Figure& figure, const std::vector<int>& active);
  /// True when a linear limit holds two or more active coordinates together.
  bool tiesScalars() const { return false; }

  /// Moves the pose into the set: every scalar to the nearest value inside its interval, followers to where their
  /// drivers want them. Exact at the bounds.
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
  Limits limits_;
  Couplings couplings_;
  std::vector<Bound> bounds_;   ///< by step coordinate
  std::vector<int> bounded_;    ///< step coordinates that have a bound
};

}  // namespace limber
