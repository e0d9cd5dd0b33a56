// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "limber/goals/goal.h"

namespace limber {

/// Keeps the distance between a point of a link and a point of another link, or of the world, within bounds:
///
///   D(d) = sqrt(d^2 + s^2),  d = |x_a - x_b|
///   r = (D(d) - D(upper)) / L  above the upper bound,  (D(d) - D(lower)) / L  below the lower one,  0 between
///
/// The softening s = 0.001 L keeps the derivatives regular where the points coincide; the bounds are softened in the
/// same way, so that they hold exactly. r^2 has a continuous first derivative, and its second derivative jumps at a
/// bound. Coincident points below a lower bound are a stationary point of negative curvature, which a second-order
/// method leaves.
class DistanceGoal final : public Goal {
 public:
  struct End {
    int link = -1;                                    ///< -1: a point of the world
    Eigen::Vector3d point = Eigen::Vector3d::Zero();  ///< link frame or world, metres
  };
  /// `a` is on a link, `b` on another one or in the world (asserted). 0 <= lower <= upper; equal bounds ask for one
  /// distance.
  DistanceGoal(const End& a, const End& b, const Interval& distance, double weight, double lengthUnit);

  int linkCount() const override { return ends_[1].link < 0 ? 1 : 2; }
  int link(int which) const override { return ends_[which].link; }
  int residualSize() const override { return 1; }
  void computeResidual(const Kinematics& kinematics, Residual& residual) const override;
  void computeJacobian(const Kinematics& kinematics, int which, TwistJacobian& jacobian) const override;
  void computeCurvature(const Kinematics& kinematics, const Residual& multipliers, int which,
                        Matrix6d& curvature) const override;
  bool crossesLinks() const override { return linkCount() == 2; }
  void computeCrossCurvature(const Kinematics& kinematics, const Residual& multipliers, int which, int other,
                             Matrix6d& curvature) const override;

 private:
  struct Gap {
    std::array<Eigen::Vector3d, 2> points;  ///< world
    Eigen::Vector3d gradient;               ///< of D by x_a: (x_a - x_b) / D
    double softened = 0.0;                  ///< D
    double excess = 0.0;                    ///< D minus the violated bound, 0 between the bounds
    bool isActive = false;                  ///< a bound is violated, or both are equal
  };
  Gap gapAt(const Kinematics& kinematics) const;
  /// Second derivative of D / L by x_a: (1 - gradient gradient') / (D L).
  Eigen::Matrix3d hessianOf(const Gap& gap) const;

  std::array<End, 2> ends_;
  double softening_, lower_, upper_;  ///< bounds softened
  double inverseLength_;
};

}  // namespace limber
