// SPDX-License-Identifier: MIT
#include "limber/scene/joint_turn.h"

#include <algorithm>
#include <cmath>

#include "limber/kinematics/ball_limits.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/scene/goal_place.h"
#include "limber/scene/new_goal.h"

namespace limber {

namespace {
constexpr double kPiece = 0.05;       // radians: about three degrees
constexpr int kMostPieces = 10000;    // some eighty turns
}  // namespace

void turnAbout(Document& document, int joint, const Eigen::Vector3d& axisInJoint, double angle) {
  const Figure& figure = *document.figure;
  const JointType type = figure.joint(joint).type;
  if ((type != JointType::Ball && type != JointType::Free) || !std::isfinite(angle)) return;
  const BallLimits& limits = document.joints[static_cast<std::size_t>(joint)].ballLimits;
  Eigen::Quaterniond rotation = jointRotation(figure, document.pose, joint);
  if (type == JointType::Free || !limits.isBounded()) {
    rotation = Eigen::AngleAxisd(angle, axisInJoint) * rotation;
  } else {
    const BallRange range(limits);
    const int pieces = static_cast<int>(std::clamp(std::ceil(std::abs(angle) / kPiece), 1.0, double{kMostPieces}));
    const Eigen::Quaterniond piece(Eigen::AngleAxisd(angle / pieces, axisInJoint));
    for (int i = 0; i < pieces; ++i) rotation = range.clamp((piece * rotation).normalized());
  }
  setJointRotation(figure, joint, rotation.normalized(), document.pose);
}

void shiftFree(Document& document, int joint, const Eigen::Vector3d& wayInJoint) {
  const Joint& j = document.figure->joint(joint);
  if (j.type != JointType::Free || !wayInJoint.allFinite()) return;
  Eigen::VectorXd step = Eigen::VectorXd::Zero(document.figure->stepSize());
  step.segment<3>(j.stepIndex) = wayInJoint;
  integrate(*document.figure, document.pose, step, document.pose);
}

int bringTargetsAlong(const Document& before, Document& document) {
  Kinematics was, is;
  computeTransforms(*before.figure, before.pose, was);
  computeTransforms(*document.figure, document.pose, is);
  int count = 0;
  for (GoalItem& goal : document.goals) {
    const GoalPlace from = placeOfGoal(before, was, goal), to = placeOfGoal(document, is, goal);
    if (from.point == to.point && from.frame == to.frame) continue;
    moveTargetToEndEffector(document, is, goal);
    ++count;
  }
  return count;
}

}  // namespace limber
