// SPDX-License-Identifier: MIT
// The interface of goals. A goal has a residual, which depends on the transforms of one or more links:
//
//   f = 1/2 weight |r|^2,   r = residual, at most kMaxResidualSize numbers
//
// Solvers need three functions of it and know no goal type: r, its Jacobian by the twist of each link, and its second
// derivative contracted with multipliers. A goal keeps no scratch: threads may share one, each with its own kinematics.
#pragma once

#include <cassert>

#include "limber/kinematics/forward_kinematics.h"

namespace limber {

inline constexpr int kMaxResidualSize = 9;  // a point and two directions

/// (m x 1) and (m x 6), m <= kMaxResidualSize; on the stack.
using Residual = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMaxResidualSize, 1>;
using TwistJacobian = Eigen::Matrix<double, Eigen::Dynamic, 6, 0, kMaxResidualSize, 6>;

class Goal {
 public:
  /// weight: the user's weight times the target weight, >= 0 (asserted).
  explicit Goal(double weight) : weight_(weight) { assert(weight >= 0.0 && "a weight must not be negative"); }
  virtual ~Goal() = default;

  /// The links on which r depends, all different; `which` counts from 0 to linkCount() - 1.
  virtual int linkCount() const { return 1; }
  virtual int link(int which) const = 0;
  double weight() const { return weight_; }
  virtual int residualSize() const = 0;

  /// True for an inequality r >= 0: of r plus a hard goal's shift, only negative rows count (clampOneSided). Jacobian
  /// and curvature are those of r itself.
  virtual bool isOneSided() const { return false; }

  /// r at these transforms.
  virtual void computeResidual(const Kinematics& kinematics, Residual& residual) const = 0;

  /// d r / d twist of one link, (m x 6). Twists are (angular; linear at kinematics.origin), in world axes.
  virtual void computeJacobian(const Kinematics& kinematics, int which, TwistJacobian& jacobian) const = 0;

  /// Sum over k of multipliers[k] times the second derivative of r[k] along exp(twist) of one link, symmetric (6 x 6).
  virtual void computeCurvature(const Kinematics& kinematics, const Residual& multipliers, int which,
                                Matrix6d& curvature) const = 0;

  /// Mixed second derivatives: rows by the twist of link `which`, columns by that of `other`. They are zero where r is
  /// a sum of terms that depend on one link each; other goals return true from crossesLinks.
  virtual bool crossesLinks() const { return false; }
  virtual void computeCrossCurvature(const Kinematics& kinematics, const Residual& multipliers, int which, int other,
                                     Matrix6d& curvature) const;

 private:
  double weight_;
};

/// Replaces the positive rows of a one-sided residual by zero. NaN stays.
inline void clampOneSided(Residual& residual) {
  for (double& r : residual)
    if (r > 0.0) r = 0.0;
}

inline void Goal::computeCrossCurvature(const Kinematics&, const Residual&, int, int, Matrix6d& curvature) const {
  curvature.setZero();
}

}  // namespace limber
