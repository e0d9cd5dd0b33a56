// SPDX-License-Identifier: MIT
#include "limber/posing/backward_bends.h"

#include <algorithm>
#include <cmath>

#include "limber/problem/bend.h"
#include "limber/problem/goal_types.h"

namespace limber {

namespace {

constexpr double kBent = 0.02;            // radians: a limb bent by less is straight
constexpr double kNearlyStraight = 0.35;  // radians: twenty degrees

bool asksForPoint(const PosedGoal& goal) {
  return goal.isLive && goal.strength != Strength::Hard && infoOf(goal.item.type).isPlace;
}

/// True for a hinge that the solve may turn.
bool isFreeHinge(const Objective& objective, int joint) {
  const Joint& hinge = objective.figure().joint(joint);
  return hinge.type == JointType::Revolute && objective.activeIndex(hinge.stepIndex) >= 0;
}

}  // namespace

std::vector<BackwardBend> findBackwardBends(const IkProblem& problem, const PosedProblem& posed, const Pose& before,
                                            const Pose& after, const Kinematics& kinematicsAfter) {
  const Figure& figure = *problem.figure;
  Kinematics kinematicsBefore;
  const auto wasBackward = [&](int joint, const GoalItem& goal) {
    if (kinematicsBefore.worldFromLink.empty()) computeTransforms(figure, before, kinematicsBefore);
    const auto bend = bendOf(problem, before, kinematicsBefore, joint, goal.link, goal.pointInLink);
    return bend && bend->side * bend->angle < -kBent;
  };
  std::vector<BackwardBend> bends;
  for (const PosedGoal& goal : posed.goals) {
    if (!asksForPoint(goal)) continue;
    for (int joint = goal.item.link; joint >= 0; joint = figure.link(joint).parent) {
      if (!isFreeHinge(*posed.objective, joint)) continue;
      const auto bend = bendOf(problem, after, kinematicsAfter, joint, goal.item.link, goal.item.pointInLink);
      if (!bend || bend->side * bend->angle > -kBent || wasBackward(joint, goal.item)) continue;
      Interval forward = problem.joints[joint].limits;
      double& bound = bend->side > 0 ? forward.lower : forward.upper;
      bound = bend->straight;
      if (forward.lower < forward.upper)
        bends.push_back({joint, std::clamp(bend->straight - bend->angle, forward.lower, forward.upper), forward});
    }
  }
  return bends;
}

bool foldLimbs(const IkProblem& problem, const PosedProblem& posed, const Kinematics& kinematics, Pose& pose) {
  const Figure& figure = *problem.figure;
  const Pose before = pose;
  for (const PosedGoal& goal : posed.goals) {
    if (!asksForPoint(goal)) continue;
    HingeBend knee;
    int hinge = -1;
    for (int joint = goal.item.link; joint >= 0; joint = figure.link(joint).parent) {
      if (!isFreeHinge(*posed.objective, joint)) continue;
      const auto bend = bendOf(problem, before, kinematics, joint, goal.item.link, goal.item.pointInLink);
      if (!bend || bend->side == 0 || std::abs(bend->angle) > kNearlyStraight) continue;
      if (hinge >= 0 && bend->above * bend->below <= knee.above * knee.below) continue;
      knee = *bend;
      hinge = joint;
    }
    if (hinge < 0) continue;
    const double far = (goal.item.target - knee.root).squaredNorm() - knee.along * knee.along;
    const double cosine = (far - knee.above * knee.above - knee.below * knee.below) / (2.0 * knee.above * knee.below);
    const Interval& limits = problem.joints[hinge].limits;
    pose.coordinates[figure.joint(hinge).poseIndex] =
        std::clamp(knee.straight + knee.side * std::acos(std::clamp(cosine, -1.0, 1.0)), limits.lower, limits.upper);
  }
  return !(pose == before);
}

}  // namespace limber
