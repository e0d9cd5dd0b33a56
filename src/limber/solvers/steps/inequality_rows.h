// SPDX-License-Identifier: MIT
// One-sided goals within a Newton step. Of an inequality r >= 0 only what is below zero counts, so f bends where r = 0,
// and a Hessian that knows the rows below zero at the start of a step sends the step through those that it meets on the
// way. Here the rows that count are those below zero at the end of the step, by their linear model:
//
//   m(s) = f without inequalities + sum over rows with r + J s < 0 of w/2 (r + J s)^2,
//
// solved by going from one set of rows to the next until it is the same (semismooth Newton for the piecewise quadratic
// m). The residuals and Jacobians of the evaluation are changed to those rows, and put back at the end.
#pragma once

#include <vector>

#include "limber/objective/objective.h"

namespace limber {

class InequalityRows {
 public:
  /// At an evaluated pose with its gradient. Costs nothing without inequalities.
  void take(const Objective& objective, const Evaluation& evaluation, const Eigen::VectorXd& gradient);

  /// Makes the rows that are below zero after the step those that count. False when they are already. Multipliers of
  /// rows that cease to count become zero.
  bool foresee(const Objective& objective, Evaluation& evaluation, const Eigen::VectorXd& step,
               std::vector<Residual>& multipliers);

  /// Back to the rows that are below zero here.
  void restore(const Objective& objective, Evaluation& evaluation, Eigen::VectorXd& gradient);

  bool isChanged() const { return isChanged_; }
  /// The gradient of m, and of f; the given one where there are no inequalities.
  const Eigen::VectorXd& modelGradient(const Eigen::VectorXd& gradient) const { return isChanged_ ? model_ : gradient; }
  const Eigen::VectorXd& trueGradient(const Eigen::VectorXd& gradient) const { return isChanged_ ? true_ : gradient; }
  /// By how much the quadratic with the present rows is above f at s = 0.
  double modelRise() const { return rise_; }

 private:
  struct Inequality {
    int goal = 0;
    Residual own;                          ///< r, shifted, not clamped
    std::vector<TwistJacobian> jacobians;  ///< by its links, of every row
    unsigned held = 0, counted = 0;        ///< a bit a row: below zero here; counted in m
  };
  void impose(const Objective& objective, Evaluation& evaluation);

  std::vector<Inequality> inequalities_;
  std::vector<Residual> forces_, changes_;
  Eigen::VectorXd model_, true_;
  double rise_ = 0.0;
  bool isChanged_ = false;
};

}  // namespace limber
