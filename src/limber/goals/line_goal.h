// SPDX-License-Identifier: MIT
#pragma once

#include "limber/goals/goal.h"

namespace limber {

/// Places a point x of a link on the line through p along the unit vector n (Zhao and Badler 1994, eq. 16):
///   r = (1 - n n^T)(x - p) / lengthUnit.
class LineGoal final : public Goal {
 public:
  LineGoal(int link, const Eigen::Vector3d& pointInLink, const Eigen::Vector3d& through,
           const Eigen::Vector3d& direction, double weight, double lengthUnit);

  int link(int) const override { return link_; }
  int residualSize() const override { return 3; }
  void computeResidual(const Kinematics& kinematics, Residual& residual) const override;
  void computeJacobian(const Kinematics& kinematics, int which, TwistJacobian& jacobian) const override;
  void computeCurvature(const Kinematics& kinematics, const Residual& multipliers, int which,
                        Matrix6d& curvature) const override;

 private:
  int link_;
  Eigen::Vector3d pointInLink_, through_;
  Eigen::Matrix3d across_;  ///< (1 - n n^T) / lengthUnit
};

}  // namespace limber
