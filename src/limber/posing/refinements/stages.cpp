// SPDX-License-Identifier: MIT
#include "limber/posing/refinements/refinements.h"

#include "limber/body/footholds.h"
#include "limber/problem/goal_place.h"
#include "limber/problem/new_goal.h"

namespace limber {

namespace {

Eigen::Vector3d between(const Eigen::Vector3d& from, const Eigen::Vector3d& to, double share) {
  return from + share * (to - from);
}

Eigen::Matrix3d between(const Eigen::Matrix3d& from, const Eigen::Matrix3d& to, double share) {
  return Eigen::Quaterniond(from).slerp(share, Eigen::Quaterniond(to)).toRotationMatrix();
}

/// The base pose. If feet are held, a locked root is free in the solve, so it begins at its base pose, too.
Pose basePoseOnItsFeet(const IkProblem& problem) {
  Pose base = basePoseOf(problem);
  if (problem.solver.posing != PosingChoice::Natural) return base;
  IkProblem whole = problem;
  for (int i = 0; i < problem.figure->linkCount(); ++i)
    if (problem.figure->isFreeRoot(i)) whole.joints[i].locked = false;
  Pose standing = basePoseOf(whole);
  const Kinematics kinematics = transformsOf(*problem.figure, standing);
  return findFootholds(problem, kinematics, {}).empty() ? base : standing;
}

}  // namespace

Stages::Stages(const IkProblem& problem, const PosingRequest& request, int stages)
    : finalProblem_(problem), finalRequest_(request), stages_(stages) {
  finalProblem_.pose = basePoseOnItsFeet(problem);
  finalRequest_.startPose = finalProblem_.pose;
  finalRequest_.followsLast = false;
  computeTransforms(*finalProblem_.figure, finalProblem_.pose, base_);
  problem_ = finalProblem_;
  request_ = finalRequest_;
  moveTargets(1.0 / stages_);
}

bool Stages::next(const Pose& reached) {
  if (stage_ == stages_) return false;
  problem_.pose = reached;
  ++stage_;
  moveTargets(static_cast<double>(stage_) / stages_);
  return true;
}

bool Stages::refine(Solve& solve) {
  if (!next(solve.pose)) return false;
  solve.start = Start::Here;
  if (solve.beginNext(problem_, request_)) return true;
  solve.summary.status = SolveStatus::BadInput;
  return false;
}

void Stages::moveTargets(double share) {
  problem_.goals = finalProblem_.goals;
  problem_.pins = finalProblem_.pins;
  request_.drag = finalRequest_.drag;
  request_.holds = finalRequest_.holds;
  if (stage_ == stages_) return;
  const auto baseOf = [&](int link) -> const Transform& { return base_.worldFromLink[link]; };
  for (GoalItem& goal : problem_.goals) {
    if (!isWellFormed(finalProblem_, goal)) continue;  // makeProblem() reports the fault
    GoalItem atBase = goal;
    moveTargetToEndEffector(finalProblem_, base_, atBase);
    goal.target = between(atBase.target, goal.target, share);
    goal.targetFrame = between(atBase.targetFrame, goal.targetFrame, share);
  }
  for (Pin& pin : problem_.pins) {
    const Transform &from = baseOf(pin.link), &to = pin.worldFromLink;
    pin.worldFromLink.rotation = between(from.rotation, to.rotation, share);
    pin.worldFromLink.translation =
        between(from * pin.pointInLink, to * pin.pointInLink, share) - pin.worldFromLink.rotation * pin.pointInLink;
  }
  const auto moveBack = [&](auto& goal) {
    goal.target = between(baseOf(goal.link) * goal.pointInLink, goal.target, share);
  };
  if (request_.drag) moveBack(*request_.drag);
  for (Hold& hold : request_.holds) moveBack(hold.goal);
}

}  // namespace limber
