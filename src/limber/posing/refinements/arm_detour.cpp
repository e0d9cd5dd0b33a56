// SPDX-License-Identifier: MIT
#include <algorithm>

#include "limber/posing/refinements/refinements.h"
#include "limber/problem/goal_error.h"

namespace limber {

namespace {

// Mean link lengths: a hand nearer to its target needs no detour. Of a human 10 mm.
constexpr double kNear = 0.05;
// Of an arm's length: how far from the shoulder a hand is led first.
constexpr double kOutside = 0.8;
// Of what was missed: a detour must leave less.
constexpr double kWorth = 0.5;
// Mean link lengths that a target moves before a detour is tried again: as in LimitEscape.
constexpr double kTryDetourAgain = 0.5;

double missedBy(const Solve& solve, const GoalItem& goal) {
  return (solve.workspace.current.kinematics.worldFromLink[goal.link] * goal.pointInLink - goal.target).norm();
}

/// The hand alone, moved by its arm, with nothing in the way.
IkProblem problemOfArm(const Solve& solve, const GoalItem& goal) {
  const Figure& figure = *solve.problem->figure;
  IkProblem own = solve.withPose();
  own.pins.clear();
  own.obstacles.clear();
  own.symmetry.reset();
  own.keepsBalance = false;
  own.selfAvoidance = SelfAvoidance::Off;
  own.solver.solver = "newton";
  own.solver.posing = PosingChoice::Even;
  own.solver.reference = RestReference::StartPose;
  own.solver.pathIndependent = false;
  GoalItem asked{.id = 0, .link = goal.link, .pointInLink = goal.pointInLink, .target = goal.target};
  const std::vector<char>& limb = solve.request.staying->limb();
  for (int link = goal.link; link >= 0 && limb[link]; link = figure.link(link).parent)
    if (stepSize(figure.joint(link).type) > 0) asked.chain.push_back(link);
  std::ranges::sort(asked.chain);
  own.goals = {asked};
  return own;
}

/// The pose of least f among those that an arm finds over a place above, below, before, behind and at each side of its
/// shoulder. Nothing if none comes clearly nearer outside of the body.
std::optional<Pose> poseByDetour(const Solve& solve, const GoalItem& goal, const ArmPull& arm) {
  const double most = kWorth * missedBy(solve, goal);
  const IkProblem asked = problemOfArm(solve, goal);
  std::optional<Pose> best;
  double least = 0.0;
  Posing posing;
  Evaluation evaluation;
  for (int axis = 0; axis < 3; ++axis)
    for (const double sign : {1.0, -1.0}) {
      IkProblem own = asked;
      own.goals[0].target = arm.shoulder + sign * kOutside * arm.length * Eigen::Vector3d::Unit(axis);
      solveToEnd(posing, own);
      own.goals[0].target = goal.target;
      solveToEnd(posing, own);
      const Kinematics kinematics = transformsOf(*own.figure, own.pose);
      if ((kinematics.worldFromLink[goal.link] * goal.pointInLink - goal.target).norm() > most) continue;
      if (!solve.contacts.isClear(kinematics)) continue;
      const double f = solve.posed.objective->evaluate(own.pose, evaluation);
      if (best && f >= least) continue;
      best = own.pose;
      least = f;
    }
  return best;
}

}  // namespace

void ArmDetour::begin(Solve& solve) {
  hasTried_ = false;
  before_.reset();
  if (!solve.dragGoesOn) triedInVain_.reset();
}

/// The goal of an arm that is missed the most though it is within the arm's length; null for none.
const PosedGoal* ArmDetour::missedGoal(const Solve& solve) const {
  const PosedGoal* worst = nullptr;
  double most = kNear * solve.problem->figure->meanLinkLength();
  for (const PosedGoal& goal : solve.posed.goals) {
    if (!goal.isPulled || !goal.isLive || missedBy(solve, goal.item) <= most) continue;
    const auto arm = solve.request.staying->armPull(goal.item);
    if (!arm || (goal.item.target - arm->shoulder).norm() > arm->length) continue;
    worst = &goal;
    most = missedBy(solve, goal.item);
  }
  return worst;
}

bool ArmDetour::refine(Solve& solve) {
  if (before_) {
    endDetour(solve);
    return false;
  }
  if (hasTried_ || !solve.solver->isFollowedUp()) return false;
  const PosedGoal* goal = missedGoal(solve);
  if (!goal) return false;
  const GoalItem item = goal->item;
  const double tryAgain = kTryDetourAgain * solve.problem->figure->meanLinkLength();
  if (triedInVain_ && (item.target - *triedInVain_).norm() < tryAgain) return false;
  hasTried_ = true;
  const std::optional<Pose> pose = poseByDetour(solve, item, *solve.request.staying->armPull(item));
  if (!pose) {
    triedInVain_ = item.target;
    return false;
  }
  before_ = {solve.snapshot(), solve.contacts, solve.hardGoals, item, missedBy(solve, item)};
  before_->end.posed = std::move(solve.posed);
  solve.contacts.release();
  solve.pose = *pose;
  solve.start = Start::Here;
  solve.replace(makeProblem(*solve.problem, solve.request, solve.branches, &before_->end.posed.reference));
  Before kept = std::move(*before_);
  for (Refinement* refinement : solve.refinements)
    if (refinement != this) refinement->begin(solve);
  before_ = std::move(kept);
  return true;
}

/// Keeps the pose of the detour if the hand is clearly nearer and nothing is inside.
void ArmDetour::endDetour(Solve& solve) {
  const bool isBetter = missedBy(solve, before_->goal) < kWorth * before_->missed &&
                        solve.contacts.isClear(solve.workspace.current.kinematics);
  if (!isBetter) {
    triedInVain_ = before_->goal.target;
    goBack(solve, before_->end.status);
  }
  before_.reset();
}

void ArmDetour::goBack(Solve& solve, SolveStatus status) {
  solve.contacts = std::move(before_->contacts);
  solve.hardGoals = std::move(before_->hardGoals);
  before_->end.status = status;
  solve.rollBack(before_->end);
}

void ArmDetour::breakOff(Solve& solve) {
  if (!before_) return;
  goBack(solve, solve.summary.status);
  before_.reset();
}

}  // namespace limber
