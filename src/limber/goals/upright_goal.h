// SPDX-License-Identifier: MIT
#pragma once

#include "limber/goals/goal.h"

namespace limber {

/// A link that stands upright, whatever its heading. b_x, b_y, b_z are axes of the link, b_y the one that points up
/// where it stands as it should, u the world's up:
///
///   r = (s_x u.b_z; s_y (u.b_y - 1); s_z u.b_x)
///
/// For small tilts phi_x, phi_z about b_x and b_z that is (-s_x phi_x; 0; s_z phi_z). The middle row keeps f growing
/// beyond a right angle.
class UprightGoal final : public Goal {
 public:
  /// axesInLink: a rotation, b as columns. scale >= 0.
  UprightGoal(int link, const Eigen::Matrix3d& axesInLink, const Eigen::Vector3d& scale, double weight);

  int link(int) const override { return link_; }
  double weight() const override { return weight_; }
  int residualSize() const override { return 3; }
  void computeResidual(const Kinematics& kinematics, Residual& residual) const override;
  void computeJacobian(const Kinematics& kinematics, int which, TwistJacobian& jacobian) const override;
  void computeCurvature(const Kinematics& kinematics, const Residual& multipliers, int which,
                        Matrix6d& curvature) const override;

 private:
  /// Row's axis in the world, scaled.
  Eigen::Vector3d axisOf(const Kinematics& kinematics, int row) const;

  int link_;
  Eigen::Matrix3d axesInLink_;
  Eigen::Vector3d scale_;
  double weight_;
};

}  // namespace limber
