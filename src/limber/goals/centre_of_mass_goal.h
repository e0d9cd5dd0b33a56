// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "limber/goals/goal.h"
#include "limber/goals/mass_parts.h"

namespace limber {

/// The figure's centre of mass above or below a point; y is up, and height is free:
///
///   r = horizontal part of (sum_i m_i x_i / sum_i m_i - target) / L,   x_i the centre of mass of link i
///
/// A sum of terms of one link each, over the links that have mass.
class CentreOfMassGoal final : public Goal {
 public:
  CentreOfMassGoal(const Figure& figure, const Eigen::Vector3d& target, double weight, double lengthUnit);

  /// False for a figure without mass: there is nothing to balance, and the goal asks for nothing.
  static bool isDefined(const Figure& figure);

  int linkCount() const override { return static_cast<int>(parts_.size()); }
  int link(int which) const override { return parts_[static_cast<std::size_t>(which)].link; }
  double weight() const override { return weight_; }
  int residualSize() const override { return 2; }
  void computeResidual(const Kinematics& kinematics, Residual& residual) const override;
  void computeJacobian(const Kinematics& kinematics, int which, TwistJacobian& jacobian) const override;
  void computeCurvature(const Kinematics& kinematics, const Residual& multipliers, int which,
                        Matrix6d& curvature) const override;

 private:
  std::vector<MassPart> parts_;
  Eigen::Vector2d target_;        ///< (x, z) / L
  double weight_;
};

}  // namespace limber
