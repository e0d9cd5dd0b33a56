// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "limber/goals/goal.h"

namespace limber {

/// Two directions of a link along two of the world (Zhao and Badler 1994, eq. 9 to 11):
///
///   r = (c_x (x_e - x_g); c_y (y_e - y_g)),   x_e, y_e = the first two axes of the end effector's frame
///
/// A scale of 0 leaves its direction free. The opposite of what is asked is a stationary point that a second-order
/// method leaves.
class OrientationGoal final : public Goal {
 public:
  /// Frames are rotations, axes as columns: the end effector's in its link, the goal's in the world. scale is c_d of
  /// eq. 8, residual units a radian, for x and y.
  OrientationGoal(int link, const Eigen::Matrix3d& frameInLink, const Eigen::Matrix3d& targetFrame,
                  const std::array<double, 2>& scale, double weight);

  int link(int) const override { return link_; }
  double weight() const override { return weight_; }
  int residualSize() const override { return 6; }
  void computeResidual(const Kinematics& kinematics, Residual& residual) const override;
  void computeJacobian(const Kinematics& kinematics, int which, TwistJacobian& jacobian) const override;
  void computeCurvature(const Kinematics& kinematics, const Residual& multipliers, int which,
                        Matrix6d& curvature) const override;

 private:
  int link_;
  Eigen::Matrix3d frameInLink_, targetFrame_;
  std::array<double, 2> scale_;
  double weight_;
};

}  // namespace limber
