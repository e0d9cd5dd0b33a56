// SPDX-License-Identifier: MIT
#include "limber/posing/refinements/refinements.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "limber/posing/backward_bends.h"
#include "limber/problem/goal_error.h"

namespace limber {

namespace {

/// One entry per goal: 1 if it is met or does not count.
std::vector<char> metGoalsOf(const Solve& solve) {
  const IkProblem& now = solve.withPose();
  std::vector<char> met;
  for (const PosedGoal& goal : solve.posed.goals)
    met.push_back(!goal.isAsked() || isMet(now, goalErrorOf(now, solve.workspace.current.kinematics, goal.item)));
  return met;
}

std::vector<BackwardBend> backwardBendsOf(const Solve& solve) {
  return findBackwardBends(*solve.problem, solve.posed, solve.startPose, solve.pose,
                           solve.workspace.current.kinematics);
}

}  // namespace

void OtherBend::begin(Solve&) {
  trial_ = Trial::None;
  hasTried_ = false;
}

Refinement::Verdict OtherBend::judge(Solve& solve) {
  if (trial_ == Trial::None) return Verdict::AskOthers;
  if (trial_ == Trial::Limited) {
    trial_ = Trial::Free;
    solve.posed = std::move(solve.fallback->posed);
    return Verdict::RunAgain;
  }
  trial_ = Trial::None;
  solve.endTrial(isKept(solve));
  return Verdict::AskOthers;
}

bool OtherBend::refine(Solve& solve) {
  if (hasTried_ || !solve.solver->isFollowedUp()) return false;
  const std::vector<BackwardBend> bends = backwardBendsOf(solve);
  if (bends.empty()) return false;
  hasTried_ = true;
  IkProblem forward = solve.withPose();
  for (const BackwardBend& bend : bends) {
    forward.joints[bend.joint].limits = bend.forward;
    forward.pose.coordinates[forward.figure->joint(bend.joint).poseIndex] = bend.mirrored;
  }
  PosedProblem limited = solve.variant(forward, &solve.posed.reference);
  if (!limited.objective) return false;
  met_ = metGoalsOf(solve);
  goalPart_ = solve.goalPart();
  solve.beginTrial(forward.pose, std::move(limited));
  trial_ = Trial::Limited;
  return true;
}

/// True if no limb bends backward, no goal is missed that was met, and the goals' part of f is no higher. The pull may
/// be larger than with the other bend, but f is no higher than at the start.
bool OtherBend::isKept(const Solve& solve) const {
  const std::vector<char> met = metGoalsOf(solve);
  const bool isMissedByMore = std::ranges::find(met, 0) != met.end() && solve.goalPart() > goalPart_;
  return !isMissedByMore && std::ranges::equal(met, met_, std::greater_equal<>()) &&
         solve.summary.objective <= solve.summary.objectiveBefore && backwardBendsOf(solve).empty();
}

}  // namespace limber
