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

Tolerance relativeTolerance(const Figure& figure, double relative) {
  return {relative * figure.meanLinkLength(), relative};
}

Tolerance toleranceOf(const IkProblem& problem) {
  const SolverSettings& settings = problem.solver;
  const Tolerance relative = relativeTolerance(*problem.figure, settings.reachedTolerance);
  return {settings.reachedDistance.value_or(relative.length), settings.reachedAngle.value_or(relative.angle)};
}

bool isWithin(const GoalError& error, const Tolerance& tolerance) {
  return error.length <= tolerance.length && error.angle <= tolerance.angle;
}

bool isMet(const IkProblem& problem, const GoalError& error) { return isWithin(error, toleranceOf(problem)); }

}  // namespace limber
