// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include "limber/posing/reach.h"
#include "limber/posing/refinements/refinements.h"
#include "limber/problem/goal_error.h"
#include "limber/problem/goal_types.h"

namespace limber {

namespace {

constexpr double kExactlyReached = 1e-11;  // of |r|, mean link lengths and radians
constexpr double kNearEnough = 0.3;        // of |r|: poses with a larger residual are left to the solver
constexpr std::size_t kMostRows = 300;     // of all residuals: the time of meetGoals() grows with their square
// Relative to the gradient of the goals: a smaller pull of the preferences keeps no goal from being met.
constexpr double kHolds = 0.02;
constexpr double kLittle =
    1e-8;  // relative to the least weight of a missed goal: the weight of all preferences in a trial

/// The largest number of priorities that a goal outranks.
int mostOutranked(const Solve& solve) {
  int most = 0;
  for (const PosedGoal& goal : solve.posed.goals) most = std::max(most, goal.outranked);
  return most;
}

bool isMissed(const Solve& solve, const IkProblem& now, const PosedGoal& goal) {
  return goal.isAsked() && !isMet(now, goalErrorOf(now, solve.workspace.current.kinematics, goal.item));
}

}  // namespace

void GoalsFirst::begin(Solve&) {
  last_ = Trial::None;
  isOnTrial_ = false;
}

Refinement::Verdict GoalsFirst::judge(Solve& solve) {
  if (!std::exchange(isOnTrial_, false)) return Verdict::AskOthers;
  solve.posed = std::move(solve.fallback->posed);
  solve.moveTo(Pose(solve.pose), solve.summary.status);
  meet(solve);
  solve.endTrial(solve.countMetGoals() > met_);
  return Verdict::AskOthers;
}

bool GoalsFirst::refine(Solve& solve) {
  if (solve.solver->searchSolver().empty()) return false;
  if (solve.request->drags()) {
    if (solve.request->meetsHolds) meetHolds(solve);
    return false;
  }
  for (int outranked = 0; outranked <= mostOutranked(solve); ++outranked) {
    findGoalsToMeet(solve.posed, outranked, selected_);
    if (meet(solve)) return false;
  }
  findGoalsToMeet(solve.posed, 0, selected_);
  if (!mayBeInReach(solve)) return false;
  if (last_ == Trial::None) {
    last_ = Trial::FromHere;
    if (isHeldByPreferences(solve) && beginTrial(solve, solve.pose)) return true;
  }
  return std::exchange(last_, Trial::FromStart) == Trial::FromHere && beginTrial(solve, solve.startPose);
}

void GoalsFirst::meetHolds(Solve& solve) {
  findGoalsToMeet(solve.posed, kLowestPriority, selected_);
  meet(solve);
}

/// Moves to the nearest pose that meets the selected goals. False if it is far away or not found.
bool GoalsFirst::meet(Solve& solve) {
  const Objective& objective = *solve.posed.objective;
  std::size_t rows = 0;
  for (const Residual& residual : solve.workspace.current.residuals) rows += residual.size();
  if (rows > kMostRows) return false;
  const double missed = missedBy(objective, solve.workspace.current, selected_);
  if (missed <= kExactlyReached) return true;
  // The stay term and the prior determine how a body meets its goals; this may change only the last digits.
  const bool isOfBody = solve.request->staying->isOn() || solve.posed.body;
  const Tolerance tolerance = toleranceOf(*solve.problem);
  const double reached = std::max(tolerance.length / objective.figure().meanLinkLength(), tolerance.angle);
  if (!(missed <= (isOfBody ? reached : kNearEnough))) return false;
  // First with the limits that are active now, then with those that only the goals press against.
  objective.computeGradient(solve.workspace.current, solve.workspace.gradient);
  objective.feasibleSet().findFreeSpace(solve.pose, solve.workspace.gradient, space_);
  tried_ = solve.pose;
  const auto isMetIn = [&](const FreeSpace* space) {
    return meetGoals(objective, tried_, {.tolerance = kExactlyReached, .asked = selected_, .space = space}, meeting_)
        .met;
  };
  if (!isMetIn(&space_) && !isMetIn(nullptr)) return false;
  before_ = solve.pose;
  solve.moveTo(tried_, solve.summary.status);
  if (solve.contacts.isClear(solve.workspace.current.kinematics)) return true;
  solve.moveTo(before_, solve.summary.status);
  return false;
}

/// True if the solver has converged and goals are missed that are not proved to be out of reach.
bool GoalsFirst::mayBeInReach(const Solve& solve) const {
  if (solve.summary.status != SolveStatus::Converged) return false;
  if (last_ == Trial::FromStart || solve.isSearching || solve.request->staying->isOn() || solve.posed.body)
    return false;
  const IkProblem& now = solve.withPose();
  const auto isMissedInReach = [&](const PosedGoal& goal) {
    return isMissed(solve, now, goal) &&
           !isProvedOutOfReach(now, solve.posed.mayMove, solve.workspace.current.kinematics, goal.item,
                               toleranceOf(now));
  };
  return std::ranges::any_of(solve.posed.goals, isMissedInReach);
}

/// True if the preferences pull away from the goals.
bool GoalsFirst::isHeldByPreferences(Solve& solve) {
  const Objective& objective = *solve.posed.objective;
  Evaluation& current = solve.workspace.current;
  Eigen::VectorXd& gradient = solve.workspace.gradient;
  objective.evaluate(solve.pose, current);
  objective.computeGradient(current, gradient);
  forces_.resize(selected_.size());
  for (std::size_t k = 0; k < selected_.size(); ++k) {
    const double weight = selected_[k] ? objective.goals()[k]->weight() : 0.0;
    forces_[k] = weight * current.residuals[k];
  }
  objective.applyTransposedJacobian(current, forces_, goalGradient_);
  pull_ = gradient - goalGradient_;
  objective.feasibleSet().findFreeSpace(solve.pose, goalGradient_, space_);
  space_.project(pull_);
  return pull_.norm() > kHolds * goalGradient_.norm();
}

/// Begins a run with small weights of preferences and pull. Without other goals the preferences are the goals and keep
/// their weights.
bool GoalsFirst::beginTrial(Solve& solve, const Pose& from) {
  IkProblem less = solve.withPose();
  double least = 0.0, most = less.solver.restWeight / less.solver.targetWeight;
  for (const PosedGoal& goal : solve.posed.goals) {
    const double weight = goal.item.weight;
    if (goal.isAsked() && weight > 0.0 && isMissed(solve, less, goal))
      least = least > 0.0 ? std::min(least, weight) : weight;
    if (goal.isLive && goal.strength == Strength::Preference && !goal.isShifted()) most = std::max(most, weight);
  }
  if (!(least > 0.0) || !(most > 0.0)) return false;
  const double share = std::min(1.0, kLittle * least / most);
  less.solver.restWeight *= share;
  const auto isAskedPreference = [](const PosedGoal& goal) { return goal.isAsked() && isPreference(goal.item); };
  if (std::ranges::none_of(solve.posed.goals, isAskedPreference))
    for (GoalItem& goal : less.goals)
      if (isPreference(goal)) goal.weight *= share;
  PosedProblem posed = solve.variant(less, &solve.posed.reference);
  if (!posed.objective) return false;
  met_ = solve.countMetGoals();
  solve.beginTrial(from, std::move(posed));
  return isOnTrial_ = true;
}

}  // namespace limber
