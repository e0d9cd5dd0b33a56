// SPDX-License-Identifier: MIT
// How far rounding alone moves the gradient. Entry j is a sum over the goals at and below its joint, and each residual
// is known only to |dr| = 4 rho + epsilon |r|, rho the rounding of a place (Evaluation::positionRounding), of which
// some add up along a chain:
//
//   g_j = sum w (J S_j)'r + pull     |dg_j| <= sqrt(sum w |dr|^2) sqrt(S_j' K S_j) + epsilon |pull|,   K = sum w J'J
//
// by Cauchy; the second root is of j's diagonal entry in the Gauss-Newton Hessian. A gradient that is no larger tells
// nothing of f: a step along it that promises much, where H is nearly singular, promises what is not there.
#pragma once

#include "limber/objective/objective.h"

namespace limber {

class GradientRounding {
 public:
  /// True when P g is nothing but rounding. After computeGradient.
  ///
  /// gradient  (active x 1), g
  /// largest   the largest entry of P g: mostly it is so large that a look at the goals' weights is enough
  /// cost      O(goals) then, else that of a gradient; no allocation when warm
  bool explains(const Objective& objective, const Evaluation& evaluation, const FreeSpace& space,
                const Eigen::VectorXd& gradient, double largest);

  /// After an explains() that was not content with a look at the weights: |dg| (active x 1), and the largest S' K S of
  /// a coordinate, in the objective's metric.
  const Eigen::VectorXd& estimates() const { return estimates_; }
  double stiffest() const { return stiffest_; }

 private:
  /// Of the goals at and below a link.
  struct Load {
    Matrix6d stiffness = Matrix6d::Zero();  ///< K
    double energy = 0.0;                    ///< sum w |dr|^2
  };

  void compute(const Objective& objective, const Evaluation& evaluation);

  std::vector<Load> loads_;  ///< one a link
  Eigen::VectorXd full_;     ///< (stepSize x 1): |dg|, followers apart from their drivers
  Eigen::VectorXd estimates_, projected_;
  double stiffest_ = 0.0;
};

}  // namespace limber
