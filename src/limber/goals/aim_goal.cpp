// SPDX-License-Identifier: MIT
// With g = p - x, D = sqrt(g.g + s^2), u = g / D:
//   du/dx            = -(1 - u u^T) / D
//   d2(m.u)/dx dx    = (-(m u^T + u m^T) - (m.u) 1 + 3 (m.u) u u^T) / D^2
// (The formulas hold although u is shorter than a unit vector.)
#include "limber/goals/aim_goal.h"

#include <cassert>
#include <cmath>

#include "limber/goals/link_feature.h"

namespace limber {

namespace {
constexpr double kSoftening = 1e-3;  // units of length: far below usual distances to a target
}

AimGoal::AimGoal(int link, const Eigen::Vector3d& pointInLink, const Eigen::Vector3d& directionInLink,
                 const Eigen::Vector3d& target, double scale, double weight, double lengthUnit)
    : Goal(weight), link_(link), pointInLink_(pointInLink), directionInLink_(directionInLink), target_(target),
      scale_(scale), softening_(kSoftening * lengthUnit) {
  assert(scale >= 0.0 && "a scale must not be negative");
}

AimGoal::Sight AimGoal::sightAt(const Kinematics& kinematics) const {
  const Transform& world = kinematics.worldFromLink[link_];
  Sight sight;
  sight.point = world * pointInLink_;
  sight.gap = target_ - sight.point;
  sight.distance = std::sqrt(sight.gap.squaredNorm() + softening_ * softening_);
  sight.axis = world.rotation * directionInLink_;
  return sight;
}

void AimGoal::computeResidual(const Kinematics& kinematics, Residual& residual) const {
  const Sight sight = sightAt(kinematics);
  residual = scale_ * (sight.gap / sight.distance - sight.axis);
}

void AimGoal::computeJacobian(const Kinematics& kinematics, int, TwistJacobian& jacobian) const {
  const Sight sight = sightAt(kinematics);
  const Eigen::Vector3d u = sight.gap / sight.distance;
  const Eigen::Matrix3d slope = (u * u.transpose() - Eigen::Matrix3d::Identity()) / sight.distance;
  jacobian = scale_ * (slope * pointJacobian(kinematics, sight.point) - directionJacobian(sight.axis));
}

void AimGoal::computeCurvature(const Kinematics& kinematics, const Residual& multipliers, int,
                               Matrix6d& curvature) const {
  const Sight sight = sightAt(kinematics);
  const Eigen::Vector3d m = scale_ * multipliers;
  const Eigen::Vector3d u = sight.gap / sight.distance;
  const double along = m.dot(u);
  const Eigen::Matrix3d cross = m * u.transpose();
  const Eigen::Matrix3d second =
      (3.0 * along * u * u.transpose() - cross - cross.transpose() - along * Eigen::Matrix3d::Identity()) /
      (sight.distance * sight.distance);
  const Eigen::Vector3d first = (along * u - m) / sight.distance;  // d(m.u)/dx
  const FeatureJacobian jacobian = pointJacobian(kinematics, sight.point);
  curvature = jacobian.transpose() * second * jacobian + pointCurvature(kinematics, first, sight.point);
  curvature.topLeftCorner<3, 3>() -= directionCurvature(m, sight.axis);
}

}  // namespace limber
