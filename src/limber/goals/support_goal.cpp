// SPDX-License-Identifier: MIT
#include "limber/goals/support_goal.h"

#include <cassert>

namespace limber {

SupportGoal::SupportGoal(const Figure& figure, std::span<const Side> sides, double weight, double lengthUnit)
    : Goal(weight), parts_(massParts(figure, lengthUnit)), normals_(sides.size(), 2) {
  assert(lengthUnit > 0.0 && sides.size() <= static_cast<std::size_t>(kMaxResidualSize));
  offsets_.resize(sides.size());
  for (std::size_t k = 0; k < sides.size(); ++k) {
    normals_.row(k) = sides[k].normal.transpose();
    offsets_[k] = sides[k].offset / lengthUnit;
  }
}

void SupportGoal::computeResidual(const Kinematics& kinematics, Residual& residual) const {
  residual.noalias() = normals_ * centreOnGround(kinematics, parts_);
  residual -= offsets_;
}

void SupportGoal::computeJacobian(const Kinematics& kinematics, int which, TwistJacobian& jacobian) const {
  jacobian.noalias() = normals_ * groundJacobian(kinematics, parts_[which]);
}

void SupportGoal::computeCurvature(const Kinematics& kinematics, const Residual& multipliers, int which,
                                   Matrix6d& curvature) const {
  curvature = groundCurvature(kinematics, normals_.transpose() * multipliers, parts_[which]);
}

}  // namespace limber
