// SPDX-License-Identifier: MIT
#include "goals/centre_of_mass_goal.h"

#include <algorithm>
#include <cassert>

#include "goals/link_feature.h"

namespace limber {

namespace {
Eigen::Vector2d horizontal(const Eigen::Vector3d& v) { return {v.x(), v.z()}; }
}  // namespace

bool CentreOfMassGoal::isDefined(const Figure& figure) {
  return std::any_of(figure.links().begin(), figure.links().end(), [](const Link& link) { return link.mass > 0.0; });
}

CentreOfMassGoal::CentreOfMassGoal(const Figure& figure, const Eigen::Vector3d& target, double weight,
                                   double lengthUnit)
    : target_(horizontal(target) / lengthUnit), weight_(weight) {
  assert(lengthUnit > 0.0 && weight >= 0.0);
  double mass = 0.0;
  for (const Link& link : figure.links()) mass += std::max(link.mass, 0.0);
  for (int i = 0; i < figure.linkCount(); ++i)
    if (const Link& link = figure.link(i); link.mass > 0.0)
      parts_.push_back({i, link.mass / (mass * lengthUnit), link.centreOfMass});
}

void CentreOfMassGoal::computeResidual(const Kinematics& kinematics, Residual& residual) const {
  residual = Eigen::Vector2d::Zero();
  if (parts_.empty()) return;
  for (const Part& part : parts_)
    residual += part.share * horizontal(worldFromLink(kinematics, part.link) * part.pointInLink);
  residual -= target_;
}

void CentreOfMassGoal::computeJacobian(const Kinematics& kinematics, int which, TwistJacobian& jacobian) const {
  const Part& part = parts_[static_cast<std::size_t>(which)];
  const FeatureJacobian point =
      part.share * pointJacobian(kinematics, worldFromLink(kinematics, part.link) * part.pointInLink);
  jacobian.resize(2, 6);
  jacobian << point.row(0), point.row(2);
}

void CentreOfMassGoal::computeCurvature(const Kinematics& kinematics, const Residual& multipliers, int which,
                                        Matrix6d& curvature) const {
  const Part& part = parts_[static_cast<std::size_t>(which)];
  const Eigen::Vector3d m = part.share * Eigen::Vector3d(multipliers[0], 0.0, multipliers[1]);
  curvature = pointCurvature(kinematics, m, worldFromLink(kinematics, part.link) * part.pointInLink);
}

}  // namespace limber
