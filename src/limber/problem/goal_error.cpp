// SPDX-License-Identifier: MIT
#include "limber/problem/goal_error.h"

#include <algorithm>
#include <cmath>

#include "limber/goals/swivel_goal.h"
#include "limber/problem/bend.h"

namespace limber {

namespace {

/// The end effector, or the other link's, in the world.
struct PointAndFrame {
  Eigen::Vector3d point;
  Eigen::Matrix3d frame;
};

PointAndFrame pointAndFrame(const Kinematics& kinematics, int link, const Eigen::Vector3d& point,
                    const Eigen::Matrix3d& frame) {
  const Transform& worldFromLink = kinematics.worldFromLink[static_cast<std::size_t>(link)];
  return {worldFromLink * point, worldFromLink.rotation * frame};
}

double angleBetween(const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

/// The worst of the x and y that are not free; -1 when both are.
double worstAngle(const GoalItem& goal, const Eigen::Matrix3d& have, const Eigen::Matrix3d& want) {
  double worst = -1.0;
  for (int axis = 0; axis < 2; ++axis)
    if (goal.directionScale[static_cast<std::size_t>(axis)] > 0.0)
      worst = std::max(worst, angleBetween(have.col(axis), want.col(axis)));
  return worst;
}

double outside(const Interval& interval, double value) {
  return std::max({interval.lower - value, value - interval.upper, 0.0});
}

GoalError keptError(const IkProblem& problem, const GoalItem& goal) {
  const Figure& figure = *problem.figure;
  GoalError error;
  if (goal.kept.coordinates.size() != figure.poseSize()) return error;
  Eigen::VectorXd step;
  difference(figure, problem.pose, goal.kept, step);
  for (int i = 0; i < figure.linkCount(); ++i) {
    if (!goal.chain.empty() && std::find(goal.chain.begin(), goal.chain.end(), i) == goal.chain.end()) continue;
    const Joint& joint = figure.joint(i);
    const int size = stepSize(joint.type), slides = joint.type == JointType::Prismatic ? 1 : size == 6 ? 3 : 0;
    const auto left = step.segment(joint.stepIndex, size);
    if (slides > 0) error.length = std::max(error.length, left.head(slides).norm());
    if (size > slides) error.angle = std::max(error.angle, left.tail(size - slides).norm());
  }
  return error;
}

GoalError aimError(const PointAndFrame& have, const Eigen::Vector3d& target) {
  const Eigen::Vector3d way = target - have.point;
  return {-1.0, way.norm() > 0.0 ? angleBetween(have.frame.col(0), way) : 0.0};
}

GoalError swivelError(const IkProblem& problem, const Kinematics& kinematics, const GoalItem& goal) {
  const auto limb = limbOf(problem, kinematics, goal);
  if (!limb) return {};
  return {-1.0, std::abs(swivelAngle(limb->root, limb->middle, limb->end, goal.targetFrame.col(0),
                                     problem.figure->meanLinkLength()))};
}

}  // namespace

Eigen::Vector3d centreOfMassOf(const Figure& figure, const Kinematics& kinematics) {
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();
  double mass = 0.0;
  for (int i = 0; i < figure.linkCount(); ++i) {
    const Link& link = figure.link(i);
    moment += link.mass * (kinematics.worldFromLink[static_cast<std::size_t>(i)] * link.centreOfMass);
    mass += link.mass;
  }
  return mass > 0.0 ? Eigen::Vector3d(moment / mass) : kinematics.origin;
}

GoalError goalErrorOf(const IkProblem& problem, const Kinematics& kinematics, const GoalItem& goal) {
  if (goal.type == GoalType::KeepPose) return keptError(problem, goal);
  if (goal.type == GoalType::CentreOfMass) {
    const Eigen::Vector3d off = centreOfMassOf(*problem.figure, kinematics) - goal.target;
    return {std::hypot(off.x(), off.z())};
  }
  if (goal.type == GoalType::Swivel) return swivelError(problem, kinematics, goal);
  const PointAndFrame have = pointAndFrame(kinematics, goal.link, goal.pointInLink, goal.frameInLink);
  const PointAndFrame want = goal.otherLink >= 0
                               ? pointAndFrame(kinematics, goal.otherLink, goal.pointInOther, goal.frameInOther)
                               : PointAndFrame{goal.target, goal.targetFrame};
  const Eigen::Vector3d axis = goal.targetFrame.col(0), off = have.point - goal.target;
  switch (goal.type) {
    case GoalType::Position: return {off.norm()};
    case GoalType::Orientation: return {-1.0, worstAngle(goal, have.frame, goal.targetFrame)};
    case GoalType::PositionOrientation: return {off.norm(), worstAngle(goal, have.frame, goal.targetFrame)};
    case GoalType::Direction: return {-1.0, angleBetween(have.frame.col(0), axis)};
    case GoalType::Aim: return aimError(have, goal.target);
    case GoalType::Line: return {(off - axis.dot(off) * axis).norm()};
    case GoalType::Plane: return {std::abs(axis.dot(off))};
    case GoalType::HalfSpace: return {std::max(-axis.dot(off), 0.0)};
    case GoalType::Distance: return {outside(goal.distance, (have.point - want.point).norm())};
    case GoalType::Relative: return {(have.point - want.point).norm(), worstAngle(goal, have.frame, want.frame)};
    case GoalType::KeepPose:
    case GoalType::Swivel:
    case GoalType::CentreOfMass: break;
  }
  return {};
}

GoalError pinErrorOf(const Kinematics& kinematics, const Pin& pin) {
  const Transform& now = kinematics.worldFromLink[static_cast<std::size_t>(pin.link)];
  GoalError error;
  if (pin.position) error.length = (now * pin.pointInLink - pin.worldFromLink * pin.pointInLink).norm();
  if (pin.rotation)
    error.angle = logarithm(Eigen::Quaterniond(now.rotation.transpose() * pin.worldFromLink.rotation)).norm();
  return error;
}

bool isMet(const IkProblem& problem, const GoalError& error) {
  const double tolerance = problem.solver.reachedTolerance;
  return error.length <= tolerance * problem.figure->meanLinkLength() && error.angle <= tolerance;
}

}  // namespace limber
