// SPDX-License-Identifier: MIT
// The goals of one solve: those of the problem, a drag, held points, pins and balance, each with its strength.
#pragma once

#include <limits>
#include <vector>

#include "limber/goals/support_goal.h"
#include "limber/posing/branch.h"

namespace limber {

struct CompletedRequest;
struct DragGoal;

/// Which goals may be traded for which: never a stronger one for a weaker one. Goals of the same strength share by
/// priority and weight.
enum class Strength {
  Preference,  ///< chooses among the poses that meet the goals
  Goal,        ///< "reached" depends on it
  Hard,        ///< met exactly, up to its largest force, whatever the goals lose by it
};

enum class GoalSource { Problem, Drag, Hold, Pin, Balance };

struct PosedGoal {
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  GoalItem item;  ///< its id is -1 unless the problem has it
  GoalSource source = GoalSource::Problem;
  Strength strength = Strength::Goal;
  double force = kInfinity;      ///< the largest force, in the unit of GoalReport::force
  double tolerance = kInfinity;  ///< of |r|, mean link lengths and radians: multiplier updates continue above it
  int patience = 1;              ///< rounds of updates in a row that may fail before the goal is given up
  int outranked = 0;             ///< number of lower priorities among the goals that count
  bool isLive = true;            ///< false if another goal of its any-of is enabled in its place
  std::vector<SupportGoal::Side> support;  ///< of balance, whose item has no target
  int place = -1;                          ///< index in the objective; -1 for kept poses and goals that are not live

  bool hasLimitedForce() const { return force < kInfinity; }
  /// A goal that is dragged with a limited force.
  bool isPulled() const { return strength != Strength::Hard && hasLimitedForce(); }
  /// A hold that yields to a larger force, which does not count as a failure and is not reported.
  bool mayYield() const { return strength == Strength::Hard && hasLimitedForce(); }
  bool isExact() const { return strength == Strength::Hard && !hasLimitedForce(); }
  bool isAsked() const { return isLive && strength == Strength::Goal; }
  /// True if "reached" depends on it. Balance is reported separately.
  bool counts() const { return isAsked() || (isExact() && source != GoalSource::Balance); }
  /// True for goals that multiplier updates meet.
  bool isShifted() const { return isLive && tolerance < kInfinity; }
};

/// The position goal that a drag stands for, without id and name.
GoalItem itemOf(const DragGoal& drag);

/// The goals of a solve with strength, force, tolerance and effective weight (before the target weight). `branches`
/// chooses among alternatives.
std::vector<PosedGoal> posedGoals(const IkProblem& problem, const CompletedRequest& request, const Branches& branches);

}  // namespace limber
