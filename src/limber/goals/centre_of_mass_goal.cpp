// SPDX-License-Identifier: MIT
#include "limber/goals/centre_of_mass_goal.h"

#include <algorithm>
#include <cassert>

namespace limber {

bool CentreOfMassGoal::isDefined(const Figure& figure) {
  return std::any_of(figure.links().begin(), figure.links().end(), [](const Link& link) { return link.mass > 0.0; });
}

CentreOfMassGoal::CentreOfMassGoal(const Figure& figure, const Eigen::Vector3d& target, double weight,
                                   double lengthUnit)
    : Goal(weight), parts_(massParts(figure, lengthUnit)),
      target_(Eigen::Vector2d(target.x(), target.z()) / lengthUnit) {
  assert(lengthUnit > 0.0);
}

void CentreOfMassGoal::computeResidual(const Kinematics& kinematics, Residual& residual) const {
  residual = Eigen::Vector2d::Zero();
  if (!parts_.empty()) residual = centreOnGround(kinematics, parts_) - target_;
}

void CentreOfMassGoal::computeJacobian(const Kinematics& kinematics, int which, TwistJacobian& jacobian) const {
  jacobian = groundJacobian(kinematics, parts_[which]);
}

void CentreOfMassGoal::computeCurvature(const Kinematics& kinematics, const Residual& multipliers, int which,
                                        Matrix6d& curvature) const {
  curvature = groundCurvature(kinematics, Eigen::Vector2d(multipliers), parts_[which]);
}

}  // namespace limber
