// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "limber/goals/goal.h"

namespace limber {

/// Aligns two axes of a frame on a link with those of a target frame (Zhao and Badler 1994, eq. 9 to 11):
///
///   r = (c_x (x_e - x_g); c_y (y_e - y_g)),   x_e, y_e the first two axes of the end effector's frame
///
/// A scale of 0 leaves its axis free. Axes opposite to the target's are a stationary point, which a second-order method
/// leaves.
class OrientationGoal final : public Goal {
 public:
  /// Frames are rotations with the axes as columns: frameInLink the end effector's in its link, targetFrame in the
  /// world. `scale` is c_x and c_y of eq. 8, residual units per radian.
  OrientationGoal(int link, const Eigen::Matrix3d& frameInLink, const Eigen::Matrix3d& targetFrame,
                  const std::array<double, 2>& scale, double weight);

  int link(int) const override { return link_; }
  int residualSize() const override { return 6; }
  const Eigen::Matrix3d& frameInLink() const { return frameInLink_; }
  const Eigen::Matrix3d& targetFrame() const { return targetFrame_; }
  bool hasAllAxes() const { return scale_[0] > 0.0 && scale_[1] > 0.0; }
  void computeResidual(const Kinematics& kinematics, Residual& residual) const override;
  void computeJacobian(const Kinematics& kinematics, int which, TwistJacobian& jacobian) const override;
  void computeCurvature(const Kinematics& kinematics, const Residual& multipliers, int which,
                        Matrix6d& curvature) const override;

 private:
  int link_;
  Eigen::Matrix3d frameInLink_, targetFrame_;
  std::array<double, 2> scale_;
};

}  // namespace limber
