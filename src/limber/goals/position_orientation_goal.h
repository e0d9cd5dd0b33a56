// SPDX-License-Identifier: MIT
#pragma once

#include "limber/goals/orientation_goal.h"
#include "limber/goals/position_goal.h"

namespace limber {

/// A position and an orientation goal of one end effector (Zhao and Badler 1994, eq. 12):
///
///   r = (sqrt(w_p) r_position; sqrt(w_o) r_orientation),   w_p + w_o = 1
class PositionOrientationGoal final : public Goal {
 public:
  /// positionShare is w_p, in [0, 1].
  PositionOrientationGoal(const PositionGoal& position, const OrientationGoal& orientation, double positionShare,
                          double weight);

  int link(int) const override { return position_.link(0); }
  int residualSize() const override { return 9; }
  const PositionGoal& position() const { return position_; }
  const OrientationGoal& orientation() const { return orientation_; }
  bool hasBothShares() const { return positionScale_ > 0.0 && orientationScale_ > 0.0; }
  double positionScale() const { return positionScale_; }  ///< sqrt(w_p)
  void computeResidual(const Kinematics& kinematics, Residual& residual) const override;
  void computeJacobian(const Kinematics& kinematics, int which, TwistJacobian& jacobian) const override;
  void computeCurvature(const Kinematics& kinematics, const Residual& multipliers, int which,
                        Matrix6d& curvature) const override;

 private:
  PositionGoal position_;
  OrientationGoal orientation_;
  double positionScale_, orientationScale_;  ///< square roots of w_p and w_o
};

}  // namespace limber
