// SPDX-License-Identifier: MIT
// Tests whether a pose is a local minimum of an objective within its limits, independent of any solver:
//
//   first order    a Newton step in the free space of the limits promises at most a small part of f, or rounding
//   second order   P (H + C) P is positive semidefinite, with C the curvature of the active limits
//
// The second condition distinguishes minima from saddles: a straight chain that is pulled inward along itself has a
// zero gradient.
// (Nocedal and Wright 2006, theorems 12.1 and 12.5.)
#pragma once

#include "limber/objective/sweep/newton_system.h"

namespace limber {

class LocalMinimum {
 public:
  /// part: the decrease that a step may promise, relative to f. Costs a Newton step; no allocation when warm.
  bool isAt(const Objective& objective, const Pose& pose, double part = kPart);

  /// f and its gradient (active x 1) at the last pose of isAt().
  double objective() const { return objective_; }
  const Eigen::VectorXd& gradient() const { return gradient_; }

  static constexpr double kPart = 1e-6;

 private:
  double objective_ = 0.0;
  Evaluation evaluation_;
  Eigen::VectorXd gradient_, direction_;
  FreeSpace space_;
  NewtonSystem system_;
  std::vector<Residual> multipliers_;
};

}  // namespace limber
