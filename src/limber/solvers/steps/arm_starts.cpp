// SPDX-License-Identifier: MIT
#include "limber/solvers/steps/arm_starts.h"

#include <algorithm>

#include "limber/goals/position_orientation_goal.h"
#include "limber/kinematics/forward_kinematics.h"

namespace limber {

namespace {

/// What a goal asks of the tip of an arm.
struct TipGoal {
  int link = -1;
  Transform linkFromTip = {}, worldFromTip = {};
  ways::Aspect aspect = ways::Aspect::Place;
};

/// The only goal for a place or a position; link is -1 if there is none, or more than one.
TipGoal tipGoalOf(const Objective& objective) {
  TipGoal result;
  int count = 0;
  for (const auto& goal : objective.goals()) {
    if (!(goal->weight() > 0.0)) continue;
    if (const auto* place = dynamic_cast<const PositionOrientationGoal*>(goal.get())) {
      ++count;
      const PositionGoal& position = place->position();
      const OrientationGoal& orientation = place->orientation();
      if (!place->hasBothShares() || !orientation.hasAllAxes()) return {};
      result = {place->link(0),
                {orientation.frameInLink(), position.pointInLink()},
                {orientation.targetFrame(), position.target()},
                ways::Aspect::Place};
    } else if (const auto* position = dynamic_cast<const PositionGoal*>(goal.get())) {
      ++count;
      result = {position->link(0), Transform::fromTranslation(position->pointInLink()),
                Transform::fromTranslation(position->target()), ways::Aspect::Position};
    }
  }
  return count == 1 ? result : TipGoal{};
}

/// The chain of the active joints above the goal's link, with the limits around the start. False if there is none.
bool findChain(const Objective& objective, const TipGoal& goal, const Pose& start, ArmStarts& starts,
               ways::ScrewChain& chain) {
  const Figure& figure = objective.figure();
  const int most = goal.aspect == ways::Aspect::Position ? 3 : ways::kMaxJoints;
  for (int link = goal.link; link >= 0; link = figure.link(link).parent) {
    const Joint& joint = figure.joint(link);
    if (joint.type == JointType::Fixed) continue;
    bool isActive = false;
    for (int c = joint.stepIndex; c < joint.stepIndex + stepSize(joint.type); ++c) {
      if (objective.feasibleSet().couplings().isFollower(c)) return false;
      isActive = isActive || objective.activeIndex(c) >= 0;
    }
    if (!isActive) continue;
    if (chain.count == most || !isScalar(joint)) return false;
    chain.joints[chain.count++] = link;
  }
  if (chain.count == 0) return false;
  std::reverse(chain.joints.begin(), chain.joints.begin() + chain.count);

  starts.zero = start;
  for (int i = 0; i < chain.count; ++i) starts.zero.coordinates[figure.joint(chain.joints[i]).poseIndex] = 0.0;
  computeTransforms(figure, starts.zero, starts.kinematics);
  for (int i = 0; i < chain.count; ++i) {
    const Joint& joint = figure.joint(chain.joints[i]);
    const Transform frame = worldFromJoint(figure, starts.kinematics, chain.joints[i]);
    chain.screws[i] = {(frame.rotation * joint.axis).normalized(), frame.translation,
                       joint.type == JointType::Prismatic};
    const double q = start.coordinates[joint.poseIndex];
    chain.limits[i] = {q - objective.feasibleSet().room(start, joint.stepIndex, -1.0),
                       q + objective.feasibleSet().room(start, joint.stepIndex, 1.0)};
  }
  chain.home = starts.kinematics.worldFromLink[goal.link] * goal.linkFromTip;
  return true;
}

}  // namespace

void findArmStarts(const Objective& objective, const Pose& start, int most, ArmStarts& starts) {
  starts.count = 0;
  const TipGoal goal = tipGoalOf(objective);
  ways::ScrewChain chain;
  if (goal.link < 0 || !findChain(objective, goal, start, starts, chain)) return;
  starts.solver.emplace(chain, goal.aspect);
  if (!starts.solver->fault().empty()) return;
  const Figure& figure = objective.figure();
  for (const ways::Coordinates& q :
       starts.near.find(*starts.solver, goal.worldFromTip, ways::coordinatesOf(chain, figure, start), most)) {
    if (starts.count == static_cast<int>(starts.poses.size())) starts.poses.emplace_back();
    Pose& pose = starts.poses[starts.count++];
    pose = start;
    ways::setCoordinates(chain, figure, q, pose);
    objective.feasibleSet().project(pose);
  }
}

}  // namespace limber
