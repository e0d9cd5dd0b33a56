// SPDX-License-Identifier: MIT
// A figure's limits and couplings in step coordinates, from which the feasible set is made.
//
// A follower's interval becomes a limit of its drivers. It narrows the interval of a single driver; over several
// drivers, all of whose terms must be linear, it becomes a row. Rows replace linear followers by their drivers.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "limber/kinematics/ball_limits.h"
#include "limber/kinematics/coupling.h"
#include "limber/objective/limits/free_space.h"

namespace limber {

/// The limits in use, which a user may have changed from the figure's own.
struct Limits {
  std::vector<Interval> intervals = {};       ///< by joint; ignored for joints without a scalar coordinate
  std::vector<BallLimits> balls = {};         ///< by joint; ignored for all but ball joints
  std::vector<char> couplingEnabled = {};     ///< one for each of the figure's couplings
  std::vector<char> linearLimitEnabled = {};  ///< one for each of the figure's linear limits
};

/// The figure's own limits, with all couplings and linear limits enabled.
Limits limitsOf(const Figure& figure);

struct LimitList {
  /// The joint limit that one end of an interval comes from.
  struct Side {
    LimitKind kind = LimitKind::Lower;
    int index = -1;     ///< joint
    double rate = 1.0;  ///< derivative of that joint's coordinate by this one
  };
  struct Bound {
    int poseIndex = -1;  ///< -1: unbounded, a follower, or not a scalar
    Interval interval = {};
    Side lower, upper;
  };
  /// bounds.lower <= sum of coefficient * coordinate <= bounds.upper.
  struct Row {
    struct Term {
      int coordinate = 0, poseIndex = 0;
      double coefficient = 0.0;
    };
    std::vector<Term> terms = {};
    Interval bounds = {};
    LimitKind lowerKind = LimitKind::LinearLower, upperKind = LimitKind::LinearUpper;
    int index = -1;  ///< linear limit, or joint if the kinds are Lower and Upper
  };
  struct Ball {
    int joint = 0, poseIndex = 0, stepIndex = 0;
    BallRange range = {};
  };
  struct FollowerLimit {
    int poseIndex = 0;
    Interval interval = {};
  };

  std::vector<Bound> bounds;  ///< by step coordinate
  std::vector<Row> rows;
  std::vector<Ball> balls;  ///< ball joints with limits
  std::vector<FollowerLimit> followers;
  std::string fault;  ///< a sentence that names limits that cannot be kept, else empty
};

LimitList listLimits(const Figure& figure, const Limits& limits, const Couplings& couplings);

/// The part of a driver's interval in which its follower, offset + c1 q + c2 q^2 + c3 q^3 + c4 q^4, is within its
/// limits: of several parts the one that contains `near`, else the one nearest to it. Its ends are exact for a linear
/// follower, else bisected to the last bit. Nothing if the follower is outside its limits everywhere.
std::optional<Interval> narrowDriver(const std::array<double, 4>& coefficients, double offset, const Interval& follower,
                                     const Interval& driver, double near);

}  // namespace limber
