// SPDX-License-Identifier: MIT
#include "limber/goals/line_goal.h"

#include <cassert>

#include "limber/goals/link_feature.h"

namespace limber {

LineGoal::LineGoal(int link, const Eigen::Vector3d& pointInLink, const Eigen::Vector3d& through,
                   const Eigen::Vector3d& direction, double weight, double lengthUnit)
    : Goal(weight), link_(link), pointInLink_(pointInLink), through_(through),
      across_((Eigen::Matrix3d::Identity() - direction * direction.transpose()) / lengthUnit) {
  assert(lengthUnit > 0.0);
}

void LineGoal::computeResidual(const Kinematics& kinematics, Residual& residual) const {
  residual = across_ * (kinematics.worldFromLink[link_] * pointInLink_ - through_);
}

void LineGoal::computeJacobian(const Kinematics& kinematics, int, TwistJacobian& jacobian) const {
  jacobian = across_ * pointJacobian(kinematics, kinematics.worldFromLink[link_] * pointInLink_);
}

void LineGoal::computeCurvature(const Kinematics& kinematics, const Residual& multipliers, int,
                                Matrix6d& curvature) const {
  curvature = pointCurvature(kinematics, across_ * multipliers, kinematics.worldFromLink[link_] * pointInLink_);
}

}  // namespace limber
