// SPDX-License-Identifier: MIT
#include <algorithm>

#include "limber/posing/refinements/refinements.h"
#include "limber/problem/goal_error.h"

namespace limber {

namespace {

// Mean link lengths: a hand that is nearer to its target needs no detour. 10 mm for a human.
constexpr double kNear = 0.05;
// Weight of the elbow's place, relative to the hand's goal.
constexpr double kElbow = 0.1;
// Factor of the rest weight during a detour: more would pull the arm back to where it was stopped.
constexpr double kFaintPull = 0.1;
// In each solve of a detour.
constexpr int kMostIterations = 300;
// A detour must leave less than this part of the error.
constexpr double kWorth = 0.5;

/// Distance of a goal's point from its target, metres.
double missedBy(const Kinematics& kinematics, const GoalItem& goal) {
  return (kinematics.worldFromLink[goal.link] * goal.pointInLink - goal.target).norm();
}

double missedBy(const Solve& solve, const GoalItem& goal) { return missedBy(solve.workspace.current.kinematics, goal); }

/// The problem of the hand alone, moved by its arm: trunk and root are locked; neck and head may move.
IkProblem problemOfArm(const Solve& solve, const GoalItem& goal) {
  const Figure& figure = *solve.problem->figure;
  IkProblem own = solve.withPose();
  own.goals = {{.id = 0, .link = goal.link, .pointInLink = goal.pointInLink, .target = goal.target}};
  own.pins.clear();
  own.obstacles.clear();
  own.symmetry.reset();
  own.keepsBalance = false;
  own.selfAvoidance = SelfAvoidance::Off;
  own.solver.solver = "newton";
  own.solver.posing = PosingChoice::Even;
  own.solver.reference = RestReference::StartPose;
  own.solver.restWeight *= kFaintPull;
  own.solver.pathIndependent = false;
  const std::vector<char>& limb = solve.request->staying->limb();
  for (int link = 0; link < figure.linkCount(); ++link)
    if (!limb[link] && figure.isAncestorOrSelf(link, goal.link)) own.joints[link].locked = true;
  return own;
}

void solveBriefly(Posing& posing, IkProblem& own, const PosingRequest& request = {}) {
  if (!posing.start(own, request)) return;
  for (int left = kMostIterations; left > 0; left = kMostIterations - posing.report().summary.iterations())
    if (posing.advance(own, left)) return;
}

/// True if all links are nearly at the same places in both.
bool isSamePlace(const Figure& figure, const Kinematics& a, const Kinematics& b) {
  const double near = kNear * figure.meanLinkLength();
  for (int link = 0; link < figure.linkCount(); ++link)
    if ((a.worldFromLink[link].translation - b.worldFromLink[link].translation).norm() > near) return false;
  return true;
}

/// The arm's link below the elbow.
int forearmOf(const Figure& figure, const GoalItem& goal, const ArmPull& arm) {
  int link = goal.link;
  while (link != arm.upper && figure.link(link).parent != arm.upper) link = figure.link(link).parent;
  return link;
}

/// Poses that reach for the target with the elbow above, below, ahead of, behind and at each side of the shoulder,
/// without obstacles. They differ, and each misses the target by at most `most`.
std::vector<Pose> posesOfElbows(const ArmPull& arm, const IkProblem& armAlone, double most, Posing& posing) {
  const Figure& figure = *armAlone.figure;
  const int forearm = forearmOf(figure, armAlone.goals[0], arm);
  const double length = figure.joint(forearm).parentFromJoint.translation.norm();
  std::vector<Pose> poses;
  std::vector<Kinematics> found;
  for (int axis = 0; axis < 3; ++axis)
    for (const double sign : {1.0, -1.0}) {
      IkProblem own = armAlone;
      own.goals.push_back({.id = 1,
                           .link = forearm,
                           .target = arm.shoulder + sign * length * Eigen::Vector3d::Unit(axis),
                           .weight = kElbow});
      solveBriefly(posing, own);
      const Kinematics kinematics = transformsOf(figure, own.pose);
      const auto isSame = [&](const Kinematics& other) { return isSamePlace(figure, kinematics, other); };
      if (missedBy(kinematics, own.goals[0]) > most || std::ranges::any_of(found, isSame)) continue;
      poses.push_back(own.pose);
      found.push_back(kinematics);
    }
  return poses;
}

/// The pose with the lowest f among those with other places of the elbow, each moved out of the body. Empty if none is
/// clearly nearer to the target.
std::optional<Pose> poseByDetour(const Solve& solve, const GoalItem& goal, const ArmPull& arm) {
  const double most = kWorth * missedBy(solve, goal);
  IkProblem own = problemOfArm(solve, goal);
  Posing posing;
  const std::vector<Pose> poses = posesOfElbows(arm, own, missedBy(solve, goal), posing);
  own.selfAvoidance = SelfAvoidance::Arms;
  std::optional<Pose> best;
  double least = 0.0;
  Evaluation evaluation;
  for (const Pose& pose : poses) {
    own.pose = pose;
    solveBriefly(posing, own, {.startPose = solve.problem->pose});
    const Kinematics kinematics = transformsOf(*own.figure, own.pose);
    if (missedBy(kinematics, own.goals[0]) > most || !solve.contacts.isClear(kinematics)) continue;
    const double f = solve.posed.objective->evaluate(own.pose, evaluation);
    if (best && f >= least) continue;
    best = own.pose;
    least = f;
  }
  return best;
}

}  // namespace

void ArmDetour::begin(Solve&) {
  hasTried_ = false;
  before_.reset();
}

/// The goal within its arm's length that is missed by most; null for none.
const PosedGoal* ArmDetour::missedGoal(const Solve& solve) const {
  const PosedGoal* worst = nullptr;
  double most = kNear * solve.problem->figure->meanLinkLength();
  for (const PosedGoal& goal : solve.posed.goals) {
    if (!goal.isPulled() || missedBy(solve, goal.item) <= most) continue;
    const auto arm = solve.request->staying->armPull(goal.item);
    if (!arm || (goal.item.target - arm->shoulder).norm() > arm->length) continue;
    worst = &goal;
    most = missedBy(solve, goal.item);
  }
  return worst;
}

bool ArmDetour::refine(Solve& solve) {
  if (before_) {
    endTrial(solve);
    return false;
  }
  if (hasTried_ || solve.request->followsLast || !solve.solver->isFollowedUp()) return false;
  const PosedGoal* goal = missedGoal(solve);
  if (!goal) return false;
  hasTried_ = true;
  const GoalItem item = goal->item;
  const std::optional<Pose> pose = poseByDetour(solve, item, *solve.request->staying->armPull(item));
  if (pose) begin(solve, item, *pose);
  return pose.has_value();
}

/// Begins the trial of the detour's pose.
void ArmDetour::begin(Solve& solve, const GoalItem& goal, const Pose& pose) {
  Before before{solve.snapshot(),       solve.contacts, solve.multipliers,
                solve.request->staying, goal,           missedBy(solve, goal)};
  before.end.posed = std::move(solve.posed);
  solve.request->staying = before.staying->afterDetour(pose, goal.link);
  solve.contacts.release();
  solve.pose = pose;
  solve.start = Start::Here;
  solve.replace(makeProblem(*solve.problem, *solve.request, solve.branches));
  for (Refinement* refinement : solve.refinements)
    if (refinement != this) refinement->begin(solve);
  before_ = std::move(before);
}

/// Keeps the pose of the detour if the hand is clearly nearer and nothing penetrates.
void ArmDetour::endTrial(Solve& solve) {
  const bool isBetter = missedBy(solve, before_->goal) < kWorth * before_->missed &&
                        solve.contacts.isClear(solve.workspace.current.kinematics);
  if (!isBetter) goBack(solve, before_->end.status);
  before_.reset();
}

void ArmDetour::goBack(Solve& solve, SolveStatus status) {
  solve.contacts = std::move(before_->contacts);
  solve.multipliers = std::move(before_->multipliers);
  solve.request->staying = std::move(before_->staying);
  before_->end.status = status;
  solve.rollBack(before_->end);
}

void ArmDetour::breakOff(Solve& solve) {
  if (!before_) return;
  goBack(solve, solve.summary.status);
  before_.reset();
}

}  // namespace limber
