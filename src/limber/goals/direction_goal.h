// SPDX-License-Identifier: MIT
#pragma once

#include "limber/goals/goal.h"

namespace limber {

/// Aligns a direction of a link with a direction of the world:  r = c (a - d),  a = worldFromLink * directionInLink.
/// Rotation about a is free. An orientation goal consists of two of these (Zhao and Badler 1994, eq. 9 to 11).
class DirectionGoal final : public Goal {
 public:
  /// directionInLink and direction are unit vectors. scale is c, residual units per radian (see radianScale); 0 turns
  /// the goal off.
  DirectionGoal(int link, const Eigen::Vector3d& directionInLink, const Eigen::Vector3d& direction, double scale,
                double weight);

  int link(int) const override { return link_; }
  int residualSize() const override { return 3; }
  void computeResidual(const Kinematics& kinematics, Residual& residual) const override;
  void computeJacobian(const Kinematics& kinematics, int which, TwistJacobian& jacobian) const override;
  void computeCurvature(const Kinematics& kinematics, const Residual& multipliers, int which,
                        Matrix6d& curvature) const override;

 private:
  int link_;
  Eigen::Vector3d directionInLink_, direction_;
  double scale_;
};

/// c of eq. 8, with which an error of `degrees` counts as much as one unit of length.
double radianScale(double degrees);

}  // namespace limber
