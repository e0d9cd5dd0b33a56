// SPDX-License-Identifier: MIT
// The Newton step by a dense Cholesky factorisation: an oracle for NewtonSystem.
#pragma once

#include <Eigen/Cholesky>

#include "limber/objective/objective.h"

namespace limber::test {

class DenseNewton {
 public:
  /// Factors P (H + C + lambda M) P, after computeGradient; metric (active x 1) is M. False if it is not positive
  /// definite. Keeps a reference to `space`.
  bool factor(const Objective& objective, Evaluation& evaluation, const std::vector<Residual>& multipliers,
              const FreeSpace& space, double lambda, const Eigen::VectorXd& metric) {
    space_ = &space;
    objective.computeHessian(evaluation, multipliers, matrix_);
    matrix_.diagonal() += lambda * metric;
    for (const FreeSpace::Block& block : space.blocks)
      if (block.held > 0) matrix_(block.active, block.active) += block.curvature;
    if (!space.limits.empty()) {
      Eigen::MatrixXd projector(matrix_.rows(), matrix_.cols());
      for (Eigen::Index k = 0; k < matrix_.cols(); ++k) {
        Eigen::VectorXd unit = Eigen::VectorXd::Unit(matrix_.rows(), k);
        space.project(unit);
        projector.col(k) = unit;
      }
      const double scale = 1.0 + matrix_.diagonal().cwiseAbs().maxCoeff();
      matrix_ = projector * matrix_ * projector;
      matrix_ -= scale * projector;
      matrix_.diagonal().array() += scale;
    }
    cholesky_.compute(matrix_);
    return cholesky_.info() == Eigen::Success;
  }

  /// step = (P (H + C + lambda M) P)^-1 P right, free.
  void solve(const Eigen::VectorXd& right, Eigen::VectorXd& step) const {
    step = right;
    space_->project(step);
    cholesky_.solveInPlace(step);
    space_->project(step);
  }

 private:
  const FreeSpace* space_ = nullptr;
  Eigen::MatrixXd matrix_;
  Eigen::LLT<Eigen::MatrixXd> cholesky_;
};

}  // namespace limber::test
