// SPDX-License-Identifier: MIT
// What a figure's limits and couplings say, in step coordinates: the raw material of the feasible set.
//
// A follower keeps its own interval through its drivers. With one driver the driver's interval is narrowed; with
// several, all terms straight, the interval becomes a row over them. Rows replace straight followers by their drivers.
#pragma once

#include <string>
#include <vector>

#include "limber/kinematics/ball_limits.h"
#include "limber/kinematics/coupling.h"
#include "limber/objective/limits/free_space.h"

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

struct LimitList {
  /// One end of an interval: whose limit it is.
  struct Side {
    LimitKind kind = LimitKind::Lower;
    int index = -1;     ///< joint
    double rate = 1.0;  ///< radians (metres) of that joint per radian of the coordinate
  };
  struct Bound {
    int poseIndex = -1;  ///< -1: unbounded, a follower, or not a scalar
    Interval interval;
    Side lower, upper;
  };
  /// bounds.lower <= sum of coefficient * coordinate <= bounds.upper.
  struct Row {
    struct Term {
      int coordinate = 0, poseIndex = 0;
      double coefficient = 0.0;
    };
    std::vector<Term> terms;
    Interval bounds;
    LimitKind lowerKind = LimitKind::LinearLower, upperKind = LimitKind::LinearUpper;
    int index = -1;  ///< linear limit, or joint when the kinds say Lower and Upper
  };
  struct Ball {
    int joint = 0, poseIndex = 0, stepIndex = 0;
    BallRange range;
  };
  struct FollowerLimit {
    int joint = 0, poseIndex = 0;
    Interval interval;
  };

  std::vector<Bound> bounds;  ///< by step coordinate
  std::vector<Row> rows;
  std::vector<Ball> balls;    ///< those with limits
  std::vector<FollowerLimit> followers;
  std::string fault;          ///< empty, or which limits cannot be kept
};

LimitList listLimits(const Figure& figure, const Limits& limits, const Couplings& couplings);

}  // namespace limber
