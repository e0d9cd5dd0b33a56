// SPDX-License-Identifier: MIT
#pragma once

#include "limber/goals/goal.h"

namespace limber {

/// A direction of a link along a direction of the world:  r = c (a - d),  a = worldFromLink * directionInLink.
/// Half of an orientation goal, which is two of these (Zhao and Badler 1994, eq. 9 to 11); roll about a is free.
class DirectionGoal final : public Goal {
 public:
  /// directionInLink and direction are unit vectors. scale is c, residual units a radian: eq. 8 gives it from "one
  /// length unit equals d degrees"; 0 leaves the direction free.
  DirectionGoal(int link, const Eigen::Vector3d& directionInLink, const Eigen::Vector3d& direction, double scale,
                double weight);

  int link(int) const override { return link_; }
  double weight() const override { return weight_; }
  int residualSize() const override { return 3; }
  void computeResidual(const Kinematics& kinematics, Residual& residual) const override;
  void computeJacobian(const Kinematics& kinematics, int which, TwistJacobian& jacobian) const override;
  void computeCurvature(const Kinematics& kinematics, const Residual& multipliers, int which,
                        Matrix6d& curvature) const override;

 private:
  int link_;
  Eigen::Vector3d directionInLink_, direction_;
  double scale_, weight_;
};

/// c of eq. 8: one unit of length counts as much as `degrees` of angle.
double radianScale(double degrees);

}  // namespace limber
