// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "limber/goals/goal.h"
#include "limber/goals/mass_parts.h"

namespace limber {

/// Places the figure's centre of mass on the vertical line through a target (y is up):
///
///   r = (x, z) of (sum_i m_i x_i / sum_i m_i - target) / L,   x_i the centre of mass of link i, L = lengthUnit
///
/// r is a sum over all links with positive mass, of terms that depend on one link each; mixed derivatives of two links
/// are zero.
class CentreOfMassGoal final : public Goal {
 public:
  /// target: world, metres; its y is not used. lengthUnit: metres, > 0.
  CentreOfMassGoal(const Figure& figure, const Eigen::Vector3d& target, double weight, double lengthUnit);

  /// True if a link has positive mass; else r is zero.
  static bool isDefined(const Figure& figure);

  int linkCount() const override { return static_cast<int>(parts_.size()); }
  int link(int which) const override { return parts_[which].link; }
  int residualSize() const override { return 2; }
  void computeResidual(const Kinematics& kinematics, Residual& residual) const override;
  void computeJacobian(const Kinematics& kinematics, int which, TwistJacobian& jacobian) const override;
  void computeCurvature(const Kinematics& kinematics, const Residual& multipliers, int which,
                        Matrix6d& curvature) const override;

 private:
  std::vector<MassPart> parts_;
  Eigen::Vector2d target_;  ///< (x, z) / L
};

}  // namespace limber
