// SPDX-License-Identifier: MIT
#include "limber/goals/position_goal.h"

#include <cassert>

#include "limber/goals/link_feature.h"

namespace limber {

PositionGoal::PositionGoal(int link, const Eigen::Vector3d& pointInLink, const Eigen::Vector3d& target, double weight,
                           double lengthUnit)
    : Goal(weight), link_(link), pointInLink_(pointInLink), target_(target), inverseLength_(1.0 / lengthUnit) {
  assert(lengthUnit > 0.0 && "the unit of length must be positive");
}

Eigen::Vector3d PositionGoal::endEffector(const Kinematics& kinematics) const {
  return kinematics.worldFromLink[link_] * pointInLink_;
}

void PositionGoal::computeResidual(const Kinematics& kinematics, Residual& residual) const {
  residual = inverseLength_ * (endEffector(kinematics) - target_);
}

void PositionGoal::computeJacobian(const Kinematics& kinematics, int, TwistJacobian& jacobian) const {
  jacobian = inverseLength_ * pointJacobian(kinematics, endEffector(kinematics));
}

void PositionGoal::computeCurvature(const Kinematics& kinematics, const Residual& multipliers, int,
                                    Matrix6d& curvature) const {
  curvature = pointCurvature(kinematics, inverseLength_ * multipliers, endEffector(kinematics));
}

}  // namespace limber
