// SPDX-License-Identifier: MIT
// Whether a pose is a local minimum of an objective within its limits, whatever solver came to it:
//
//   first order    a Newton step within what the limits leave free promises no more than a part of f, or rounding
//   second order   P (H + C) P is positive semidefinite there, C the curvature of the limits that hold
//
// The second tells minima from saddles: a straight chain that is pulled inward along itself has no gradient at all.
// (Nocedal and Wright 2006, theorems 12.1 and 12.5.)
#pragma once

#include "limber/objective/sweep/newton_system.h"

namespace limber {

class LocalMinimum {
 public:
  /// part: of f, what a step may still promise. Cost: that of a Newton step; no allocation when warm.
  bool isAt(const Objective& objective, const Pose& pose, double part = kPart);

  /// f and its gradient (active x 1) where isAt() looked last.
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
