// SPDX-License-Identifier: MIT
#include "limber/goals/level_goal.h"

#include "limber/goals/link_feature.h"

namespace limber {

LevelGoal::LevelGoal(int link, const Eigen::Vector3d& axisInLink, const Eigen::Vector3d& up, double weight)
    : Goal(weight), link_(link), axisInLink_(axisInLink), up_(up) {}

Eigen::Vector3d LevelGoal::axisOf(const Kinematics& kinematics) const {
  return kinematics.worldFromLink[link_].rotation * axisInLink_;
}

void LevelGoal::computeResidual(const Kinematics& kinematics, Residual& residual) const {
  residual.resize(1);
  residual[0] = up_.dot(axisOf(kinematics));
}

void LevelGoal::computeJacobian(const Kinematics& kinematics, int, TwistJacobian& jacobian) const {
  jacobian.resize(1, 6);
  jacobian.row(0) = up_.transpose() * directionJacobian(axisOf(kinematics));
}

void LevelGoal::computeCurvature(const Kinematics& kinematics, const Residual& multipliers, int,
                                 Matrix6d& curvature) const {
  curvature.setZero();
  curvature.topLeftCorner<3, 3>() = multipliers[0] * directionCurvature(up_, axisOf(kinematics));
}

}  // namespace limber
