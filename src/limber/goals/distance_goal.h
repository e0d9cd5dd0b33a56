// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "limber/goals/goal.h"

namespace limber {

/// How far a point of a link is from a point of another link, or of the world: at least, at most, or exactly so far.
///
///   D(d) = sqrt(d^2 + s^2),  d = |x_a - x_b|
///   r = (D(d) - D(upper)) / L  beyond the upper bound,  (D(d) - D(lower)) / L  below the lower one,  0 between
///
/// The softening s, a small part of the unit of length, keeps the derivatives regular where the points meet; the
/// bounds are softened alike, so that they are met exactly. r^2 is smooth, its second derivative jumps at a bound.
/// Two points that meet and should not are a stationary point of negative curvature: a second-order method leaves it.
class DistanceGoal final : public Goal {
 public:
  struct End {
    int link = -1;                                   ///< -1: a point of the world
    Eigen::Vector3d point = Eigen::Vector3d::Zero(); ///< metres, in the link or the world
  };
  /// a is on a link; b on another, or in the world (asserted). 0 <= lower <= upper; equal: exactly so far.
  DistanceGoal(const End& a, const End& b, const Interval& distance, double weight, double lengthUnit);

  int linkCount() const override { return ends_[1].link < 0 ? 1 : 2; }
  int link(int which) const override { return ends_[static_cast<std::size_t>(which)].link; }
  double weight() const override { return weight_; }
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
    Eigen::Vector3d slope;                  ///< of D by x_a: (x_a - x_b) / D
    double softened = 0.0;                  ///< D
    double excess = 0.0;                    ///< D minus the bound that it breaks, 0 between the bounds
    bool isBroken = false;
  };
  Gap gapAt(const Kinematics& kinematics) const;
  /// Second derivative of D / L by x_a: (1 - slope slope') / (D L).
  Eigen::Matrix3d bendOf(const Gap& gap) const;

  std::array<End, 2> ends_;
  double softening_, lower_, upper_;  ///< bounds softened
  double weight_, inverseLength_;
};

}  // namespace limber
