// SPDX-License-Identifier: MIT
#include "limber/goals/position_orientation_goal.h"

#include <cassert>
#include <cmath>

namespace limber {

PositionOrientationGoal::PositionOrientationGoal(const PositionGoal& position, const OrientationGoal& orientation,
                                                 double positionShare, double weight)
    : Goal(weight), position_(position), orientation_(orientation), positionScale_(std::sqrt(positionShare)),
      orientationScale_(std::sqrt(1.0 - positionShare)) {
  assert(position.link(0) == orientation.link(0) && "both are asked of one end effector");
  assert(positionShare >= 0.0 && positionShare <= 1.0);
}

void PositionOrientationGoal::computeResidual(const Kinematics& kinematics, Residual& residual) const {
  Residual place, directions;
  position_.computeResidual(kinematics, place);
  orientation_.computeResidual(kinematics, directions);
  residual.resize(9);
  residual << positionScale_ * place, orientationScale_ * directions;
}

void PositionOrientationGoal::computeJacobian(const Kinematics& kinematics, int, TwistJacobian& jacobian) const {
  TwistJacobian place, directions;
  position_.computeJacobian(kinematics, 0, place);
  orientation_.computeJacobian(kinematics, 0, directions);
  jacobian.resize(9, 6);
  jacobian << positionScale_ * place, orientationScale_ * directions;
}

void PositionOrientationGoal::computeCurvature(const Kinematics& kinematics, const Residual& multipliers, int,
                                               Matrix6d& curvature) const {
  Matrix6d directions;
  position_.computeCurvature(kinematics, positionScale_ * multipliers.head<3>(), 0, curvature);
  orientation_.computeCurvature(kinematics, orientationScale_ * multipliers.tail<6>(), 0, directions);
  curvature += directions;
}

}  // namespace limber
