// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "limber/goals/goal.h"

namespace limber {

/// Brings two end effectors of a figure together, such as two hands on one tube. With the point x and the rotation R of
/// each,
///
///   r = (sqrt(w_p) (x_a - x_b) / L; sqrt(w_o) c_x (R_a - R_b) e_x; sqrt(w_o) c_y (R_a - R_b) e_y)
///
/// r is a sum of terms that depend on one link each.
class RelativeGoal final : public Goal {
 public:
  struct End {
    int link = 0;
    Eigen::Vector3d pointInLink = Eigen::Vector3d::Zero();      ///< metres
    Eigen::Matrix3d frameInLink = Eigen::Matrix3d::Identity();  ///< a rotation, axes as columns
  };
  /// Two different links (asserted). scale as in OrientationGoal, positionShare as in PositionOrientationGoal.
  RelativeGoal(const End& a, const End& b, const std::array<double, 2>& scale, double positionShare, double weight,
               double lengthUnit);

  int linkCount() const override { return 2; }
  int link(int which) const override { return ends_[which].link; }
  int residualSize() const override { return 9; }
  void computeResidual(const Kinematics& kinematics, Residual& residual) const override;
  void computeJacobian(const Kinematics& kinematics, int which, TwistJacobian& jacobian) const override;
  void computeCurvature(const Kinematics& kinematics, const Residual& multipliers, int which,
                        Matrix6d& curvature) const override;

 private:
  /// Point, x axis and y axis of an end in the world, as columns.
  Eigen::Matrix3d featuresOf(const Kinematics& kinematics, int which) const;

  std::array<End, 2> ends_;
  Eigen::Vector3d scales_;  ///< of point, x axis and y axis in the residual
};

}  // namespace limber
