// SPDX-License-Identifier: MIT
#include "limber/goals/direction_goal.h"

#include <cassert>
#include <numbers>

#include "limber/goals/link_feature.h"

namespace limber {

DirectionGoal::DirectionGoal(int link, const Eigen::Vector3d& directionInLink, const Eigen::Vector3d& direction,
                             double scale, double weight)
    : Goal(weight), link_(link), directionInLink_(directionInLink), direction_(direction), scale_(scale) {
  assert(scale >= 0.0 && "a scale must not be negative");
}

void DirectionGoal::computeResidual(const Kinematics& kinematics, Residual& residual) const {
  residual = scale_ * (kinematics.worldFromLink[link_].rotation * directionInLink_ - direction_);
}

void DirectionGoal::computeJacobian(const Kinematics& kinematics, int, TwistJacobian& jacobian) const {
  jacobian = scale_ * directionJacobian(kinematics.worldFromLink[link_].rotation * directionInLink_);
}

void DirectionGoal::computeCurvature(const Kinematics& kinematics, const Residual& multipliers, int,
                                     Matrix6d& curvature) const {
  curvature.setZero();
  curvature.topLeftCorner<3, 3>() =
      directionCurvature(scale_ * multipliers, kinematics.worldFromLink[link_].rotation * directionInLink_);
}

double radianScale(double degrees) { return 180.0 / (std::numbers::pi * degrees); }

}  // namespace limber
