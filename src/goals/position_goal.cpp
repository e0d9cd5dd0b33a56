// SPDX-License-Identifier: MIT
#include "goals/position_goal.h"

#include <cassert>

namespace limber {

PositionGoal::PositionGoal(int link, const Eigen::Vector3d& pointInLink, const Eigen::Vector3d& target, double weight,
                           double lengthUnit)
    : link_(link), pointInLink_(pointInLink), target_(target), weight_(weight), inverseLength_(1.0 / lengthUnit) {
  assert(lengthUnit > 0.0 && "the unit of length must be positive");
  assert(weight >= 0.0 && "a weight must not be negative");
}

Eigen::Vector3d PositionGoal::endEffector(const Kinematics& kinematics) const {
  return kinematics.worldFromLink[static_cast<std::size_t>(link_)] * pointInLink_;
}

void PositionGoal::computeResidual(const Kinematics& kinematics, Residual& residual) const {
  residual = inverseLength_ * (endEffector(kinematics) - target_);
}

void PositionGoal::computeJacobian(const Kinematics& kinematics, TwistJacobian& jacobian) const {
  const Eigen::Vector3d y = endEffector(kinematics) - kinematics.origin;
  jacobian.resize(3, 6);
  jacobian.leftCols<3>() = -inverseLength_ * skew(y);
  jacobian.rightCols<3>() = inverseLength_ * Eigen::Matrix3d::Identity();
}

void PositionGoal::computeCurvature(const Kinematics& kinematics, const Residual& multipliers,
                                    Matrix6d& curvature) const {
  const Eigen::Vector3d y = endEffector(kinematics) - kinematics.origin;
  const Eigen::Vector3d m = inverseLength_ * multipliers;
  const Eigen::Matrix3d outer = m * y.transpose();
  curvature.topLeftCorner<3, 3>() = 0.5 * (outer + outer.transpose()) - m.dot(y) * Eigen::Matrix3d::Identity();
  curvature.topRightCorner<3, 3>() = -0.5 * skew(m);
  curvature.bottomLeftCorner<3, 3>() = 0.5 * skew(m);
  curvature.bottomRightCorner<3, 3>().setZero();
}

}  // namespace limber
