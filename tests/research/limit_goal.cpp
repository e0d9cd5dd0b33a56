// SPDX-License-Identifier: MIT
#include "research/limit_goal.h"

#include <algorithm>

namespace limber::experiments {

LimitGoal::LimitGoal(const Figure& figure, int hinge, double weight)
    : Goal(weight), hinge_(figure.motionTable().hinges[static_cast<std::size_t>(hinge)]),
      angleIndex_(static_cast<std::size_t>(hinge)), limits_(figure.joint(hinge_.link).limits),
      parent_(figure.link(hinge_.link).parent) {}

double LimitGoal::overstep(const Kinematics& kinematics) const {
  const double angle = kinematics.angles[angleIndex_];
  return angle - std::clamp(angle, limits_.lower, limits_.upper);
}

Eigen::Vector3d LimitGoal::axis(const Kinematics& kinematics) const {
  return kinematics.worldFromLink[static_cast<std::size_t>(hinge_.link)].rotation * hinge_.axis;
}

void LimitGoal::computeResidual(const Kinematics& kinematics, Residual& residual) const {
  residual.resize(1);
  residual[0] = overstep(kinematics);
}

/// Within the limits nothing is felt.
void LimitGoal::computeJacobian(const Kinematics& kinematics, int which, TwistJacobian& jacobian) const {
  jacobian.setZero(1, 6);
  if (overstep(kinematics) == 0.0) return;
  const double sign = which == 0 ? 1.0 : -1.0;
  jacobian.leftCols<3>() = sign * axis(kinematics).transpose();
}

void LimitGoal::computeCurvature(const Kinematics&, const Residual&, int, Matrix6d& curvature) const {
  curvature.setZero();
}

std::vector<std::unique_ptr<Goal>> limitGoals(const Figure& figure, double weight) {
  std::vector<std::unique_ptr<Goal>> goals;
  const auto& hinges = figure.motionTable().hinges;
  for (std::size_t i = 0; i < hinges.size(); ++i)
    if (figure.joint(hinges[i].link).limits.isBounded())
      goals.push_back(std::make_unique<LimitGoal>(figure, static_cast<int>(i), weight));
  return goals;
}

Objective penalisedObjective(const test::ObservedFigure& problem, double lambda) {
  const Figure& figure = *problem.figure;
  Limits limits = limitsOf(figure);
  for (const MotionTable::Hinge& hinge : figure.motionTable().hinges)
    limits.intervals[static_cast<std::size_t>(hinge.link)] = {};
  const double unit = figure.meanLinkLength();
  return problem.objective(limits, limitGoals(figure, lambda / (unit * unit)));
}

}  // namespace limber::experiments
