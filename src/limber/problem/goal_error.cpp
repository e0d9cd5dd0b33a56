// SPDX-License-Identifier: MIT
#include "limber/problem/goal_error.h"

#include "limber/problem/goal_types.h"

namespace limber {

Eigen::Vector3d centreOfMassOf(const Figure& figure, const Kinematics& kinematics) {
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();
  double mass = 0.0;
  for (int i = 0; i < figure.linkCount(); ++i) {
    const Link& link = figure.link(i);
    moment += link.mass * (kinematics.worldFromLink[i] * link.centreOfMass);
    mass += link.mass;
  }
  return mass > 0.0 ? Eigen::Vector3d(moment / mass) : kinematics.origin;
}

GoalError goalErrorOf(const IkProblem& problem, const Kinematics& kinematics, const GoalItem& goal) {
  return infoOf(goal.type).error({problem, kinematics, goal});
}

GoalError pinErrorOf(const Kinematics& kinematics, const Pin& pin) {
  const Transform& now = kinematics.worldFromLink[pin.link];
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
