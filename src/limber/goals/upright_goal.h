// SPDX-License-Identifier: MIT
#pragma once

#include "limber/goals/goal.h"

namespace limber {

/// Keeps a link upright, with a free heading. With the axes b_x, b_y, b_z of the link, b_y the one that should point
/// up, and the world's up u:
///
///   r = (s_x u.b_z; s_y (u.b_y - 1); s_z u.b_x)
///
/// For small tilts phi_x, phi_z about b_x and b_z, r is (-s_x phi_x; 0; s_z phi_z). The middle row makes f grow beyond
/// a right angle.
class UprightGoal final : public Goal {
 public:
  /// axesInLink is a rotation with b_x, b_y, b_z as columns. scale >= 0 (asserted).
  UprightGoal(int link, const Eigen::Matrix3d& axesInLink, const Eigen::Vector3d& scale, double weight);

  int link(int) const override { return link_; }
  int residualSize() const override { return 3; }
  void computeResidual(const Kinematics& kinematics, Residual& residual) const override;
  void computeJacobian(const Kinematics& kinematics, int which, TwistJacobian& jacobian) const override;
  void computeCurvature(const Kinematics& kinematics, const Residual& multipliers, int which,
                        Matrix6d& curvature) const override;

 private:
  /// The scaled axis of one row, in the world.
  Eigen::Vector3d axisOf(const Kinematics& kinematics, int row) const;

  int link_;
  Eigen::Matrix3d axesInLink_;
  Eigen::Vector3d scale_;
};

}  // namespace limber
