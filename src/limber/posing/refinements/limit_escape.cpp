// SPDX-License-Identifier: MIT
#include "limber/posing/refinements/refinements.h"

#include <algorithm>
#include <utility>

#include "limber/posing/active_limits.h"
#include "limber/posing/backward_bends.h"
#include "limber/posing/reach.h"
#include "limber/problem/goal_error.h"

namespace limber {

namespace {

// Measured on 400 targets of a straight leg and of the humanoid's hands and feet, of which 248 are reached.

// Radians, mean link lengths: enough to move a straight knee past its toes. With 0.1 and 0.25, f is 1 % higher on
// average; with 1 and 2, less than 0.1 % lower.
constexpr double kUnlatchTurn = 0.5;
// The pose of a trial is kept if less than this part of f is left: a new minimum, not the old one with other rounding.
// With 0.1, three targets fewer are reached; with 0.9 none more, and f is 1.4 % lower.
constexpr double kUnlatchGain = 0.5;
// Mean link lengths: a trial that failed in a drag is repeated when the target has moved by this much, half a bone, and
// so changed the limb's pose. In 840 events of natural drags 0, 0.1 and 2 take the same iterations.
constexpr double kTryAgain = 0.5;

/// Begins a trial with the blocked joints moved off their limits, as far as the opposite limits allow.
bool moveOffLimits(Solve& solve) {
  Eigen::VectorXd step, scratch;
  if (!stepOffLimits(*solve.posed.objective, solve.pose, solve.workspace.gradient, kUnlatchTurn, step)) return false;
  Pose moved;
  solve.posed.objective->move(solve.pose, step, scratch, moved);
  solve.beginTrial(moved);
  return true;
}

/// Begins a trial from the start of the solve with straight limbs folded.
bool moveToFoldedStart(Solve& solve) {
  const Kinematics kinematics = transformsOf(*solve.problem->figure, solve.startPose);
  Pose folded = solve.startPose;
  if (!foldLimbs(*solve.problem, solve.posed, kinematics, folded)) return false;
  solve.beginTrial(folded);
  return true;
}

/// True if no pose meets the goal, or, for a limited force, no pose of its limb alone.
bool isOutOfReach(const Solve& solve, const IkProblem& now, const PosedGoal& goal) {
  const auto isProved = [&](const std::vector<char>& moves) {
    return isProvedOutOfReach(now, moves, solve.workspace.current.kinematics, goal.item, toleranceOf(now));
  };
  return isProved(solve.posed.mayMove) ||
         (goal.isPulled() && isProved(solve.request->staying->movesOfLimb(solve.posed.mayMove)));
}

}  // namespace

void LimitEscape::begin(Solve& solve) {
  last_ = Attempt::None;
  isOnTrial_ = false;
  if (!solve.dragContinues) failedTarget_.reset();
}

Refinement::Verdict LimitEscape::judge(Solve& solve) {
  if (!std::exchange(isOnTrial_, false)) return Verdict::AskOthers;
  const bool isBetter = solve.summary.objective < kUnlatchGain * solve.fallback->objective;
  const Eigen::Vector3d* target = solve.pulledTarget();
  if (!isBetter && target) failedTarget_ = *target;
  solve.endTrial(isBetter);
  return Verdict::AskOthers;
}

bool LimitEscape::refine(Solve& solve) {
  if (!solve.solver->isFollowedUp() || last_ == Attempt::Folded || solve.isStoppedByContact() || !isLatched(solve))
    return false;
  isOnTrial_ = std::exchange(last_, Attempt::OffLimits) == Attempt::None && moveOffLimits(solve);
  if (isOnTrial_) return true;
  last_ = Attempt::Folded;
  return isOnTrial_ = moveToFoldedStart(solve);
}

/// True if a limit is active while a goal is missed that is not proved to be out of reach, and that does not wait for
/// multiplier updates.
bool LimitEscape::isLatched(const Solve& solve) {
  if (hasFailedHere(solve)) return false;
  findActiveLimits(*solve.posed.objective, solve.pose, solve.workspace.gradient, space_, limits_);
  if (limits_.empty()) return false;
  const IkProblem& now = solve.withPose();
  const Kinematics& kinematics = solve.workspace.current.kinematics;
  return std::ranges::any_of(solve.posed.goals, [&](const PosedGoal& goal) {
    const bool isUpdatedLater = goal.outranked > 0 || (goal.isShifted() && !goal.isPulled());
    return goal.isLive && goal.strength != Strength::Hard && !isUpdatedLater &&
           !isMet(now, goalErrorOf(now, kinematics, goal.item)) && !isOutOfReach(solve, now, goal);
  });
}

/// True in a drag whose target has hardly moved since a trial failed.
bool LimitEscape::hasFailedHere(const Solve& solve) const {
  const Eigen::Vector3d* target = solve.pulledTarget();
  return target && failedTarget_ && last_ == Attempt::None &&
         (*target - *failedTarget_).norm() < kTryAgain * solve.problem->figure->meanLinkLength();
}

}  // namespace limber
