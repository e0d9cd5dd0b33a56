// SPDX-License-Identifier: MIT
// One-sided goals within a Newton step. An inequality r >= 0 counts only below zero, so f has a kink at r = 0, and a
// Hessian with the rows that are below zero at the start of a step would send the step through other inequalities. Here
// the active rows are those below zero at the end of the step, by their linear model:
//
//   m(s) = f without inequalities + sum over rows with r + J s < 0 of w/2 (r + J s)^2,
//
// solved by changing the set of rows until it stays the same (semismooth Newton for the piecewise quadratic m). The
// residuals and Jacobians of the evaluation are set to those rows, and restored at the end.
#pragma once

#include <vector>

#include "limber/objective/objective.h"

namespace limber {

class InequalityRows {
 public:
  /// Begins at an evaluated pose with its gradient. Does nothing without inequalities.
  void take(const Objective& objective, const Evaluation& evaluation, const Eigen::VectorXd& gradient);

  /// Activates the rows that are below zero after the step. False if these are active already. Multipliers of
  /// deactivated rows become zero.
  bool foresee(const Objective& objective, Evaluation& evaluation, const Eigen::VectorXd& step,
               std::vector<Residual>& multipliers);

  /// Restores the rows that are below zero here.
  void restore(const Objective& objective, Evaluation& evaluation, Eigen::VectorXd& gradient);

  bool isChanged() const { return isChanged_; }
  /// The gradient of m, and of f; the given one if there are no inequalities.
  const Eigen::VectorXd& modelGradient(const Eigen::VectorXd& gradient) const { return isChanged_ ? model_ : gradient; }
  const Eigen::VectorXd& trueGradient(const Eigen::VectorXd& gradient) const { return isChanged_ ? true_ : gradient; }
  /// The amount by which the quadratic with the current rows exceeds f at s = 0.
  double modelRise() const { return rise_; }

 private:
  struct Inequality {
    int goal = 0;
    Residual own;                          ///< r with its shift, not clamped
    std::vector<TwistJacobian> jacobians;  ///< per link, all rows
    unsigned held = 0, counted = 0;        ///< one bit per row: below zero here; active in m
  };
  void impose(const Objective& objective, Evaluation& evaluation);

  std::vector<Inequality> inequalities_;
  std::vector<Residual> forces_, changes_;
  Eigen::VectorXd model_, true_;
  double rise_ = 0.0;
  bool isChanged_ = false;
};

}  // namespace limber
