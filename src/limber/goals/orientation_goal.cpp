// SPDX-License-Identifier: MIT
#include "limber/goals/orientation_goal.h"

#include <cassert>

#include "limber/goals/link_feature.h"

namespace limber {

OrientationGoal::OrientationGoal(int link, const Eigen::Matrix3d& frameInLink, const Eigen::Matrix3d& targetFrame,
                                 const std::array<double, 2>& scale, double weight)
    : Goal(weight), link_(link), frameInLink_(frameInLink), targetFrame_(targetFrame), scale_(scale) {
  assert(scale[0] >= 0.0 && scale[1] >= 0.0 && "a scale must not be negative");
}

void OrientationGoal::computeResidual(const Kinematics& kinematics, Residual& residual) const {
  const Eigen::Matrix3d frame = kinematics.worldFromLink[link_].rotation * frameInLink_;
  residual.resize(6);
  for (int axis = 0; axis < 2; ++axis)
    residual.segment<3>(3 * axis) = scale_[axis] * (frame.col(axis) - targetFrame_.col(axis));
}

void OrientationGoal::computeJacobian(const Kinematics& kinematics, int, TwistJacobian& jacobian) const {
  const Eigen::Matrix3d frame = kinematics.worldFromLink[link_].rotation * frameInLink_;
  jacobian.resize(6, 6);
  for (int axis = 0; axis < 2; ++axis)
    jacobian.middleRows<3>(3 * axis) = scale_[axis] * directionJacobian(frame.col(axis));
}

void OrientationGoal::computeCurvature(const Kinematics& kinematics, const Residual& multipliers, int,
                                       Matrix6d& curvature) const {
  const Eigen::Matrix3d frame = kinematics.worldFromLink[link_].rotation * frameInLink_;
  curvature.setZero();
  for (int axis = 0; axis < 2; ++axis)
    curvature.topLeftCorner<3, 3>() +=
        directionCurvature(scale_[axis] * multipliers.segment<3>(3 * axis), frame.col(axis));
}

}  // namespace limber
