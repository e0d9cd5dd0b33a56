// SPDX-License-Identifier: MIT
// The Newton step of an objective within the free space of its limits:
//
//   P (H + C + lambda M) P s = -P g,   s = P s
//
// with P the projector and C the curvature of the limits that hold (objective/limits/free_space.h), M the metric. The
// sweep over the tree solves it in linear time.
//
// M measures angles in radians. Positions are linear in the lengths of slides and free roots, which need no damping; so
// M measures lengths in units of the largest distance of a goal from its target, at least a mean link length.
#pragma once

#include "limber/objective/sweep/tree_sweep.h"

namespace limber {

class NewtonSystem {
 public:
  /// Assembles H at an evaluation whose gradient has been computed, with `multipliers` as in TreeSweep::assemble. Keeps
  /// references to objective and evaluation. Allocates nothing once sized.
  void assemble(const Objective& objective, const Evaluation& evaluation, const std::vector<Residual>& multipliers,
                Curvature ofPulls = Curvature::Exact);

  /// Factors P (H + C + lambda M) P over the free space. False if it is not positive definite; curvatureDirection() is
  /// then valid. Keeps a reference to `space`.
  bool factor(double lambda, const FreeSpace& space);

  /// direction (active x 1) = s, for the evaluation's gradient; after a factor() that returned true.
  void solve(Eigen::VectorXd& direction) { sweep_.solve(direction); }
  /// The same for another right-hand side: the gradient of only the goals, for other residuals.
  void solveForResiduals(const std::vector<Residual>& residuals, Eigen::VectorXd& direction) {
    sweep_.solveForResiduals(residuals, direction);
  }
  /// After solve(): the linearised residuals r + J direction, one for each goal.
  void linearResiduals(std::vector<Residual>& residuals) const { sweep_.linearResiduals(residuals); }

  /// After a factor() that returned false: a free direction v (active x 1) and a bound <= 0 on its curvature
  /// v'(H + C + lambda M)v.
  double curvatureDirection(Eigen::VectorXd& direction) { return sweep_.curvatureDirection(direction); }

  /// Diagonal of M, (active x 1). Followers are added to their drivers; tied scalars have the largest of their entries.
  /// After factor().
  const Eigen::VectorXd& metric() const { return metric_; }

  /// Max-norm of an active step, in radians and in M's unit of length. After assemble().
  double stepNorm(const Eigen::VectorXd& activeStep) const;

 private:
  void takeMetric();
  double entryOf(int coordinate) const;

  const Objective* objective_ = nullptr;
  const Evaluation* evaluation_ = nullptr;
  TreeSweep sweep_;
  Eigen::VectorXd metric_;
  double lengthUnit_ = 1.0;  ///< of M, in mean link lengths
};

}  // namespace limber
