// SPDX-License-Identifier: MIT
#pragma once

#include "limber/goals/goal.h"

namespace limber {

/// The ray from a point of a link along a direction of the link goes through a target (Zhao and Badler 1994, eq. 13):
///
///   r = c (u - a),   u = (p - x) / sqrt(|p - x|^2 + s^2),   a = worldFromLink * directionInLink
///
/// The softening s, a small part of the unit of length, keeps u and its derivatives regular when the target sits on
/// the point itself: there u is zero and the goal asks for nothing. Aiming exactly backwards is a stationary point of
/// negative curvature, which the default solver leaves.
class AimGoal final : public Goal {
 public:
  AimGoal(int link, const Eigen::Vector3d& pointInLink, const Eigen::Vector3d& directionInLink,
          const Eigen::Vector3d& target, double scale, double weight, double lengthUnit);

  int link(int) const override { return link_; }
  double weight() const override { return weight_; }
  int residualSize() const override { return 3; }
  void computeResidual(const Kinematics& kinematics, Residual& residual) const override;
  void computeJacobian(const Kinematics& kinematics, int which, TwistJacobian& jacobian) const override;
  void computeCurvature(const Kinematics& kinematics, const Residual& multipliers, int which,
                        Matrix6d& curvature) const override;

 private:
  /// Where the point is, what lies between it and the target, and the softened distance.
  struct Sight {
    Eigen::Vector3d point, gap;
    double distance;
    Eigen::Vector3d axis;  ///< a
  };
  Sight sightAt(const Kinematics& kinematics) const;

  int link_;
  Eigen::Vector3d pointInLink_, directionInLink_, target_;
  double scale_, weight_, softening_;
};

}  // namespace limber
