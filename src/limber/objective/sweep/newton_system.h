// SPDX-License-Identifier: MIT
// The Newton step of an objective within what its limits leave free:
//
//   P (H + C + lambda M) P s = -P g,   s = P s
//
// with P the projector and C the curvature of the limits that hold (objective/limits/free_space.h), M the metric. Two engines
// behind one face: the sweep over the tree, in linear time, and for tests a dense Cholesky factorisation.
//
// M counts angles in radians. Places are linear in the lengths of slides and free roots, so that damping, which is
// there for what angles curve, must not hold those back: lengths are counted in units of the farthest that a goal is
// from its target, and of a mean link length where every goal is nearer than that.
#pragma once

#include "limber/objective/sweep/tree_sweep.h"

namespace limber {

class NewtonSystem {
 public:
  /// Takes H at an evaluation whose gradient has been computed, with the residuals' curvature weighed by `multipliers`
  /// (TreeSweep::assemble). Keeps both by reference. No allocation when warm.
  void assemble(const Objective& objective, Evaluation& evaluation, const std::vector<Residual>& multipliers,
                Curvature ofPulls = Curvature::Exact);
  /// The same with the dense engine.
  void assembleDense(const Objective& objective, Evaluation& evaluation, const std::vector<Residual>& multipliers,
                     Curvature ofPulls = Curvature::Exact);

  /// Factors P (H + C + lambda M) P over what is free. False when that is not positive definite; curvatureDirection()
  /// is then valid. Keeps `space` by reference.
  bool factor(double lambda, const FreeSpace& space);

  /// direction (active x 1) = s for the evaluation's gradient; after a factor() that returned true.
  void solve(const Eigen::VectorXd& gradient, Eigen::VectorXd& direction);
  /// The same for another right-hand side: the gradient of the goals alone if their residuals were `residuals`.
  void solveForResiduals(const std::vector<Residual>& residuals, Eigen::VectorXd& direction);
  /// After solve(): the residuals that its direction would leave were they linear, r + J direction. One a goal.
  void linearResiduals(const Eigen::VectorXd& direction, std::vector<Residual>& residuals);

  /// After a factor() that returned false: a free direction v (active x 1) and a bound <= 0 on its curvature
  /// v'(H + C + lambda M)v.
  double curvatureDirection(Eigen::VectorXd& direction);

  /// Diagonal of M, (active x 1), with a follower's share counted for its drivers, the largest for all scalars that are
  /// tied. After factor().
  const Eigen::VectorXd& metric() const { return metric_; }

  /// Max-norm of an active step: radians, and lengths in the unit in which M counts them. After assemble().
  double stepNorm(const Eigen::VectorXd& activeStep) const;

 private:
  void takeMetric();
  double entryOf(int coordinate) const;
  void evenOut(const FreeSpace& space);
  void restrictTo(const FreeSpace::Block& block);
  bool factorColumn(Eigen::Index j);
  void solveDense(Eigen::VectorXd& direction);

  const Objective* objective_ = nullptr;
  Evaluation* evaluation_ = nullptr;
  const FreeSpace* space_ = nullptr;
  bool isTree_ = true;
  TreeSweep sweep_;
  Eigen::VectorXd metric_;
  double lengthUnit_ = 1.0;    ///< of M, in mean link lengths
  Eigen::MatrixXd hessian_;    ///< (active x active)
  Eigen::MatrixXd factors_;    ///< (active x active), lower triangle: Cholesky
  Eigen::MatrixXd blockRows_;  ///< (active x block), scratch
  std::vector<Residual> forces_;
  Eigen::Index badColumn_ = -1;
  double badPivot_ = 0.0;
};

}  // namespace limber
