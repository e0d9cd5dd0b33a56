// SPDX-License-Identifier: MIT
#include "limber/goals/distance_goal.h"

#include <cassert>
#include <cmath>

#include "limber/goals/link_feature.h"

namespace limber {

namespace {
constexpr double kDistanceSoftening = 1e-3;  // units of length
}

DistanceGoal::DistanceGoal(const End& a, const End& b, const Interval& distance, double weight, double lengthUnit)
    : Goal(weight), ends_{a, b}, softening_(kDistanceSoftening * lengthUnit),
      lower_(std::hypot(std::max(distance.lower, 0.0), softening_)), upper_(std::hypot(distance.upper, softening_)),
      inverseLength_(1.0 / lengthUnit) {
  assert(a.link >= 0 && a.link != b.link && "a link cannot move against itself");
  assert(distance.lower <= distance.upper && distance.upper >= 0.0 && "a distance must not be negative");
  assert(lengthUnit > 0.0);
}

DistanceGoal::Gap DistanceGoal::gapAt(const Kinematics& kinematics) const {
  Gap gap;
  for (std::size_t i = 0; i < 2; ++i)
    gap.points[i] = ends_[i].link < 0 ? ends_[i].point : kinematics.worldFromLink[ends_[i].link] * ends_[i].point;
  const Eigen::Vector3d between = gap.points[0] - gap.points[1];
  gap.softened = std::sqrt(between.squaredNorm() + softening_ * softening_);
  gap.gradient = between / gap.softened;
  if (gap.softened > upper_) gap.excess = gap.softened - upper_;
  if (gap.softened < lower_) gap.excess = gap.softened - lower_;
  gap.isActive = gap.excess != 0.0 || lower_ == upper_;
  return gap;
}

Eigen::Matrix3d DistanceGoal::hessianOf(const Gap& gap) const {
  return (Eigen::Matrix3d::Identity() - gap.gradient * gap.gradient.transpose()) * (inverseLength_ / gap.softened);
}

void DistanceGoal::computeResidual(const Kinematics& kinematics, Residual& residual) const {
  residual.resize(1);
  residual[0] = inverseLength_ * gapAt(kinematics).excess;
}

void DistanceGoal::computeJacobian(const Kinematics& kinematics, int which, TwistJacobian& jacobian) const {
  const Gap gap = gapAt(kinematics);
  jacobian.setZero(1, 6);
  if (!gap.isActive) return;
  const double sign = which == 0 ? inverseLength_ : -inverseLength_;
  jacobian = sign * gap.gradient.transpose() * pointJacobian(kinematics, gap.points[which]);
}

void DistanceGoal::computeCurvature(const Kinematics& kinematics, const Residual& multipliers, int which,
                                    Matrix6d& curvature) const {
  const Gap gap = gapAt(kinematics);
  curvature.setZero();
  if (!gap.isActive) return;
  const Eigen::Vector3d& point = gap.points[which];
  const FeatureJacobian jacobian = pointJacobian(kinematics, point);
  const double sign = which == 0 ? inverseLength_ : -inverseLength_;
  curvature = multipliers[0] * jacobian.transpose() * hessianOf(gap) * jacobian +
              pointCurvature(kinematics, sign * multipliers[0] * gap.gradient, point);
}

void DistanceGoal::computeCrossCurvature(const Kinematics& kinematics, const Residual& multipliers, int which,
                                         int other, Matrix6d& curvature) const {
  const Gap gap = gapAt(kinematics);
  curvature.setZero();
  if (!gap.isActive) return;
  curvature = -multipliers[0] * pointJacobian(kinematics, gap.points[which]).transpose() * hessianOf(gap) *
              pointJacobian(kinematics, gap.points[other]);
}

}  // namespace limber
