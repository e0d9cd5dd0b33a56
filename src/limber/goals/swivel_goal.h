// SPDX-License-Identifier: MIT
#pragma once

#include "limber/goals/goal.h"

namespace limber {

/// Turns a limb about the line from its root to its end so that its bend, a knee or an elbow, points in a direction.
/// With root h, middle c and end e in units of length, the direction d, l = e - h, and b and d' the components of c - h
/// and d normal to l:
///
///                c               x = b . d'
///              / b \             y = l . (d' x b) / |l|
///        h ---------------- e    r = g atan2(y, x),   g = t / (t + s^2),   t = x^2 + y^2 = |b|^2 |d'|^2
///
/// r is the signed angle in radians, one row. The factor g (s = 0.05) tends to 0 as the limb straightens or as d
/// becomes parallel to l, where the angle is undefined; so the goal never bends a straight limb. Where the bend points
/// exactly away from d, the angle jumps from pi to -pi, and r^2 has a ridge.
///
/// Root and middle are points of the upper link, the end is one of the lower link; r has mixed second derivatives.
class SwivelGoal final : public Goal {
 public:
  struct Upper {
    int link = 0;
    Eigen::Vector3d root = Eigen::Vector3d::Zero();    ///< metres, in the link
    Eigen::Vector3d middle = Eigen::Vector3d::Zero();  ///< metres, in the link
  };
  /// Two different links (asserted); direction a unit vector of the world.
  SwivelGoal(const Upper& upper, int lowerLink, const Eigen::Vector3d& endInLower, const Eigen::Vector3d& direction,
             double weight, double lengthUnit);

  int linkCount() const override { return 2; }
  int link(int which) const override { return which == 0 ? upper_.link : lowerLink_; }
  int residualSize() const override { return 1; }
  void computeResidual(const Kinematics& kinematics, Residual& residual) const override;
  void computeJacobian(const Kinematics& kinematics, int which, TwistJacobian& jacobian) const override;
  void computeCurvature(const Kinematics& kinematics, const Residual& multipliers, int which,
                        Matrix6d& curvature) const override;
  bool crossesLinks() const override { return true; }
  void computeCrossCurvature(const Kinematics& kinematics, const Residual& multipliers, int which, int other,
                             Matrix6d& curvature) const override;

 private:
  struct Places {
    Eigen::Vector3d root, middle, end;  ///< world, metres
  };
  Places placesAt(const Kinematics& kinematics) const;
  /// d (c - h; e - h) / d twist of one link, (6 x 6), in metres.
  Matrix6d motionOf(const Kinematics& kinematics, const Places& places, int which) const;

  Upper upper_;
  int lowerLink_;
  Eigen::Vector3d endInLower_, direction_;
  double inverseLength_;
};

/// r in radians, for points in the world in metres; 0 for a straight limb.
double swivelAngle(const Eigen::Vector3d& root, const Eigen::Vector3d& middle, const Eigen::Vector3d& end,
                   const Eigen::Vector3d& direction, double lengthUnit);

}  // namespace limber
