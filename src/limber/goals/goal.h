// SPDX-License-Identifier: MIT
// What a user may ask of a figure. A goal looks at one or more links and says how far they are from what is asked:
//
//   f = 1/2 weight |r|^2,   r = residual, at most kMaxResidualSize numbers
//
// Everything that the solvers need follows from three link-local things: r, its Jacobian with respect to the twist of
// each of its links, and its second derivative contracted with multipliers. A solver knows no goal type.
#pragma once

#include "limber/kinematics/forward_kinematics.h"

namespace limber {

inline constexpr int kMaxResidualSize = 9;  // a place and two directions

/// (m x 1) and (m x 6), m <= kMaxResidualSize; on the stack, never allocating.
using Residual = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMaxResidualSize, 1>;
using TwistJacobian = Eigen::Matrix<double, Eigen::Dynamic, 6, 0, kMaxResidualSize, 6>;

class Goal {
 public:
  virtual ~Goal() = default;

  /// Its links, `which` counts them; no link twice.
  virtual int linkCount() const { return 1; }
  virtual int link(int which) const = 0;
  /// Effective weight, >= 0: the user's weight times the target weight.
  virtual double weight() const = 0;
  virtual int residualSize() const = 0;

  /// True for an inequality r >= 0: of r, moved by a hard goal's shift, only what is below zero counts, row by row
  /// (clampOneSided). Jacobian and curvature are those of r itself.
  virtual bool isOneSided() const { return false; }

  /// r at the kinematics' transforms.
  virtual void computeResidual(const Kinematics& kinematics, Residual& residual) const = 0;

  /// d r / d twist of one link, (m x 6): it moves with the world-frame twist (angular; linear at kinematics.origin).
  virtual void computeJacobian(const Kinematics& kinematics, int which, TwistJacobian& jacobian) const = 0;

  /// Sum over k of multipliers[k] * second derivative of r[k] along exp(twist) of one link: symmetric (6 x 6). The
  /// wrench that belongs to the same multipliers is jacobian^T * multipliers.
  virtual void computeCurvature(const Kinematics& kinematics, const Residual& multipliers, int which,
                                Matrix6d& curvature) const = 0;

  /// The same across two links, `which` != `other`: rows by the twist of `which`. Zero where r is a sum of terms of one
  /// link each; a goal for which it is not says so.
  virtual bool crossesLinks() const { return false; }
  virtual void computeCrossCurvature(const Kinematics& kinematics, const Residual& multipliers, int which, int other,
                                     Matrix6d& curvature) const;
};

/// Takes what is met out of a one-sided residual. NaN stays.
inline void clampOneSided(Residual& residual) {
  for (double& r : residual)
    if (r > 0.0) r = 0.0;
}

inline void Goal::computeCrossCurvature(const Kinematics&, const Residual&, int, int, Matrix6d& curvature) const {
  curvature.setZero();
}

}  // namespace limber
