// SPDX-License-Identifier: MIT
#pragma once

#include "limber/goals/goal.h"

namespace limber {

/// Points a ray, from a point of a link along a direction of the link, at a target (Zhao and Badler 1994, eq. 13):
///
///   r = c (u - a),   u = (p - x) / sqrt(|p - x|^2 + s^2),   a = worldFromLink * directionInLink
///
/// with the point at x and the target p in the world. The softening s = 0.001 lengthUnit keeps u and its derivatives
/// regular where the target is at the point; u is zero there. Aiming exactly backwards is a stationary point of
/// negative curvature, which the default solver leaves.
class AimGoal final : public Goal {
 public:
  AimGoal(int link, const Eigen::Vector3d& pointInLink, const Eigen::Vector3d& directionInLink,
          const Eigen::Vector3d& target, double scale, double weight, double lengthUnit);

  int link(int) const override { return link_; }
  int residualSize() const override { return 3; }
  void computeResidual(const Kinematics& kinematics, Residual& residual) const override;
  void computeJacobian(const Kinematics& kinematics, int which, TwistJacobian& jacobian) const override;
  void computeCurvature(const Kinematics& kinematics, const Residual& multipliers, int which,
                        Matrix6d& curvature) const override;

 private:
  /// The point, the vector from it to the target, and the softened distance.
  struct Sight {
    Eigen::Vector3d point, gap;
    double distance;
    Eigen::Vector3d axis;  ///< a
  };
  Sight sightAt(const Kinematics& kinematics) const;

  int link_;
  Eigen::Vector3d pointInLink_, directionInLink_, target_;
  double scale_, softening_;
};

}  // namespace limber
