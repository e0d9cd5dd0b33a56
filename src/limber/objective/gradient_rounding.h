// SPDX-License-Identifier: MIT
// Bounds on the rounding error of the gradient. Entry j is a sum over the goals that joint j moves, and each residual
// has the error |dr| = 4 rho + epsilon |r|, with rho the rounding error of a point (Evaluation::positionRounding); the
// factor allows for errors that add up along a chain:
//
//   g_j = sum w (J S_j)'r + pull     |dg_j| <= sqrt(sum w |dr|^2) sqrt(S_j' K S_j) + epsilon |pull|,   K = sum w J'J
//
// by the Cauchy-Schwarz inequality; the second root is that of j's diagonal entry in the Gauss-Newton Hessian. A
// gradient within these bounds carries no information: where H is nearly singular, a step along it predicts a decrease
// that does not exist.
#pragma once

#include "limber/objective/objective.h"

namespace limber {

class GradientRounding {
 public:
  /// True if P g is within its rounding error. After computeGradient.
  ///
  /// gradient  (active x 1), g
  /// largest   the largest entry of P g
  /// cost  O(goals) if `largest` exceeds a simple bound, as it mostly does, else that of a gradient; no allocation once
  /// sized
  bool explains(const Objective& objective, const Evaluation& evaluation, const FreeSpace& space,
                const Eigen::VectorXd& gradient, double largest);

  /// After an explains() for which the simple bound was not enough: |dg| (active x 1), and the largest S' K S of a
  /// coordinate in the objective's metric.
  const Eigen::VectorXd& estimates() const { return estimates_; }
  double stiffest() const { return stiffest_; }

 private:
  /// Sums over the goals of a link and its descendants.
  struct Load {
    Matrix6d stiffness = Matrix6d::Zero();  ///< K
    double energy = 0.0;                    ///< sum w |dr|^2
  };

  void compute(const Objective& objective, const Evaluation& evaluation);

  std::vector<Load> loads_;  ///< by link
  Eigen::VectorXd full_;     ///< (stepSize x 1): |dg|, before followers are added to their drivers
  Eigen::VectorXd estimates_, projected_;
  double stiffest_ = 0.0;
};

}  // namespace limber
