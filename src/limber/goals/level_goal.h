// SPDX-License-Identifier: MIT
#pragma once

#include "limber/goals/goal.h"

namespace limber {

/// Keeps an axis of a link level:  r = u . b,  b = worldFromLink * axisInLink, with u the direction that counts as up.
/// r is the sine of the angle by which the axis is off the level.
class LevelGoal final : public Goal {
 public:
  /// axisInLink and up are unit vectors, up in the world.
  LevelGoal(int link, const Eigen::Vector3d& axisInLink, const Eigen::Vector3d& up, double weight);

  int link(int) const override { return link_; }
  int residualSize() const override { return 1; }
  void computeResidual(const Kinematics& kinematics, Residual& residual) const override;
  void computeJacobian(const Kinematics& kinematics, int which, TwistJacobian& jacobian) const override;
  void computeCurvature(const Kinematics& kinematics, const Residual& multipliers, int which,
                        Matrix6d& curvature) const override;

 private:
  Eigen::Vector3d axisOf(const Kinematics& kinematics) const;  ///< b

  int link_;
  Eigen::Vector3d axisInLink_, up_;
};

}  // namespace limber
