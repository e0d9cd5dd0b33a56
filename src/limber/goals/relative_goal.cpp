// SPDX-License-Identifier: MIT
#include "limber/goals/relative_goal.h"

#include <cassert>
#include <cmath>

#include "limber/goals/link_feature.h"

namespace limber {

namespace {
double signOf(int which) { return which == 0 ? 1.0 : -1.0; }
}  // namespace

RelativeGoal::RelativeGoal(const End& a, const End& b, const std::array<double, 2>& scale, double positionShare,
                           double weight, double lengthUnit)
    : Goal(weight), ends_{a, b} {
  assert(a.link != b.link && "a link cannot move against itself");
  assert(scale[0] >= 0.0 && scale[1] >= 0.0 && "a scale must not be negative");
  assert(positionShare >= 0.0 && positionShare <= 1.0 && lengthUnit > 0.0);
  const double directions = std::sqrt(1.0 - positionShare);
  scales_ = {std::sqrt(positionShare) / lengthUnit, directions * scale[0], directions * scale[1]};
}

Eigen::Matrix3d RelativeGoal::featuresOf(const Kinematics& kinematics, int which) const {
  const End& end = ends_[which];
  const Transform& world = kinematics.worldFromLink[end.link];
  Eigen::Matrix3d features;
  features << world * end.pointInLink, world.rotation * end.frameInLink.leftCols<2>();
  return features;
}

void RelativeGoal::computeResidual(const Kinematics& kinematics, Residual& residual) const {
  const Eigen::Matrix3d gap = (featuresOf(kinematics, 0) - featuresOf(kinematics, 1)) * scales_.asDiagonal();
  residual = gap.reshaped();
}

void RelativeGoal::computeJacobian(const Kinematics& kinematics, int which, TwistJacobian& jacobian) const {
  const Eigen::Matrix3d features = featuresOf(kinematics, which);
  const Eigen::Vector3d scales = signOf(which) * scales_;
  jacobian.resize(9, 6);
  jacobian << scales[0] * pointJacobian(kinematics, features.col(0)), scales[1] * directionJacobian(features.col(1)),
      scales[2] * directionJacobian(features.col(2));
}

void RelativeGoal::computeCurvature(const Kinematics& kinematics, const Residual& multipliers, int which,
                                    Matrix6d& curvature) const {
  const Eigen::Matrix3d features = featuresOf(kinematics, which);
  const Eigen::Vector3d scales = signOf(which) * scales_;
  curvature = pointCurvature(kinematics, scales[0] * multipliers.head<3>(), features.col(0));
  curvature.topLeftCorner<3, 3>() += directionCurvature(scales[1] * multipliers.segment<3>(3), features.col(1)) +
                                     directionCurvature(scales[2] * multipliers.tail<3>(), features.col(2));
}

}  // namespace limber
