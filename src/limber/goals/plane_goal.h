// SPDX-License-Identifier: MIT
#pragma once

#include "limber/goals/goal.h"

namespace limber {

/// Places a point x of a link on a plane or in a half-space (Zhao and Badler 1994, eq. 18 to 21). With the unit normal
/// n and a point p of the plane,  r = n . (x - p) / lengthUnit.  A half-space is the inequality r >= 0 (one-sided).
class PlaneGoal final : public Goal {
 public:
  enum class Side { On, HalfSpace };
  PlaneGoal(int link, const Eigen::Vector3d& pointInLink, const Eigen::Vector3d& through, const Eigen::Vector3d& normal,
            Side side, double weight, double lengthUnit);

  int link(int) const override { return link_; }
  int residualSize() const override { return 1; }
  bool isOneSided() const override { return side_ == Side::HalfSpace; }
  void computeResidual(const Kinematics& kinematics, Residual& residual) const override;
  void computeJacobian(const Kinematics& kinematics, int which, TwistJacobian& jacobian) const override;
  void computeCurvature(const Kinematics& kinematics, const Residual& multipliers, int which,
                        Matrix6d& curvature) const override;

 private:
  int link_;
  Eigen::Vector3d pointInLink_, through_, normal_;
  Side side_;
  double inverseLength_;
};

}  // namespace limber
