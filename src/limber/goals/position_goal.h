// SPDX-License-Identifier: MIT
#pragma once

#include "limber/goals/goal.h"

namespace limber {

/// Places a point of a link at a target:  r = (x - target) / lengthUnit,  x = worldFromLink * pointInLink.  With the
/// figure's mean link length as lengthUnit, weights do not depend on the figure's size.
class PositionGoal final : public Goal {
 public:
  /// pointInLink, target and lengthUnit in metres; lengthUnit > 0, weight >= 0 (asserted).
  PositionGoal(int link, const Eigen::Vector3d& pointInLink, const Eigen::Vector3d& target, double weight,
               double lengthUnit);

  int link(int) const override { return link_; }
  int residualSize() const override { return 3; }
  const Eigen::Vector3d& pointInLink() const { return pointInLink_; }
  const Eigen::Vector3d& target() const { return target_; }
  double lengthUnit() const { return 1.0 / inverseLength_; }
  void computeResidual(const Kinematics& kinematics, Residual& residual) const override;
  void computeJacobian(const Kinematics& kinematics, int which, TwistJacobian& jacobian) const override;
  void computeCurvature(const Kinematics& kinematics, const Residual& multipliers, int which,
                        Matrix6d& curvature) const override;

 private:
  Eigen::Vector3d endEffector(const Kinematics& kinematics) const;

  int link_;
  Eigen::Vector3d pointInLink_, target_;
  double inverseLength_;
};

}  // namespace limber
