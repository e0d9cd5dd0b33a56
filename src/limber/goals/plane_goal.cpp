// SPDX-License-Identifier: MIT
#include "limber/goals/plane_goal.h"

#include <cassert>

#include "limber/goals/link_feature.h"

namespace limber {

PlaneGoal::PlaneGoal(int link, const Eigen::Vector3d& pointInLink, const Eigen::Vector3d& through,
                     const Eigen::Vector3d& normal, Side side, double weight, double lengthUnit)
    : Goal(weight), link_(link), pointInLink_(pointInLink), through_(through), normal_(normal), side_(side),
      inverseLength_(1.0 / lengthUnit) {
  assert(lengthUnit > 0.0);
}

void PlaneGoal::computeResidual(const Kinematics& kinematics, Residual& residual) const {
  const Eigen::Vector3d point = kinematics.worldFromLink[link_] * pointInLink_;
  residual.resize(1);
  residual[0] = inverseLength_ * normal_.dot(point - through_);
}

void PlaneGoal::computeJacobian(const Kinematics& kinematics, int, TwistJacobian& jacobian) const {
  const Eigen::Vector3d point = kinematics.worldFromLink[link_] * pointInLink_;
  jacobian = inverseLength_ * normal_.transpose() * pointJacobian(kinematics, point);
}

void PlaneGoal::computeCurvature(const Kinematics& kinematics, const Residual& multipliers, int,
                                 Matrix6d& curvature) const {
  const Eigen::Vector3d point = kinematics.worldFromLink[link_] * pointInLink_;
  curvature = pointCurvature(kinematics, inverseLength_ * multipliers[0] * normal_, point);
}

}  // namespace limber
