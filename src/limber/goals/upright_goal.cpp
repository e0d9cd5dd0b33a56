// SPDX-License-Identifier: MIT
#include "limber/goals/upright_goal.h"

#include <cassert>

#include "limber/goals/link_feature.h"

namespace limber {

namespace {
const Eigen::Vector3d kUp = Eigen::Vector3d::UnitY();
}  // namespace

UprightGoal::UprightGoal(int link, const Eigen::Matrix3d& axesInLink, const Eigen::Vector3d& scale, double weight)
    : Goal(weight), link_(link), axesInLink_(axesInLink), scale_(scale) {
  assert((scale.array() >= 0.0).all());
}

Eigen::Vector3d UprightGoal::axisOf(const Kinematics& kinematics, int row) const {
  return scale_[row] * (kinematics.worldFromLink[link_].rotation * axesInLink_.col(2 - row));
}

void UprightGoal::computeResidual(const Kinematics& kinematics, Residual& residual) const {
  residual.resize(3);
  for (int row = 0; row < 3; ++row) residual[row] = kUp.dot(axisOf(kinematics, row));
  residual[1] -= scale_[1];
}

void UprightGoal::computeJacobian(const Kinematics& kinematics, int, TwistJacobian& jacobian) const {
  jacobian.resize(3, 6);
  for (int row = 0; row < 3; ++row) jacobian.row(row) = kUp.transpose() * directionJacobian(axisOf(kinematics, row));
}

void UprightGoal::computeCurvature(const Kinematics& kinematics, const Residual& multipliers, int,
                                   Matrix6d& curvature) const {
  curvature.setZero();
  for (int row = 0; row < 3; ++row)
    curvature.topLeftCorner<3, 3>() += multipliers[row] * directionCurvature(kUp, axisOf(kinematics, row));
}

}  // namespace limber
