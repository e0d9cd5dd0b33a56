// SPDX-License-Identifier: MIT
// Levenberg-Marquardt: Gauss-Newton steps with a damping that follows the gain ratio.
//
//   solve  P (J'W J + W_reg + C + lambda M) P s = -P g       free space P, C and metric M as in newton_system.h
//   rho = (f(q) - f(q + s)) / (the decrease by the model)
//   rho good:  q <- q + s,  lambda *= max(1/3, 1 - (2 rho - 1)^3),  nu = 2      else:  lambda *= nu,  nu *= 2
//
// A step that turns a joint by more than a radian is damped further before it is tried: cut off by limits, such a long
// step folds a limb into them, even if f falls.
//
// The residuals' curvature is left out, so that the matrix is positive definite unless the curvature of a limit or of a
// coupling makes it indefinite; then lambda grows, too. The regulariser's Hessian is exact. With zero multipliers the
// tree sweep gives the step in time linear in the figure. f never rises, and limits hold at every iterate.
//
// Marquardt, "An Algorithm for Least-Squares Estimation of Nonlinear Parameters" (1963); the update of lambda is
// Nielsen's (1999), as in Madsen, Nielsen and Tingleff, "Methods for Non-Linear Least Squares Problems", 2004, 3.16.
#pragma once

#include "limber/solvers/typed_solver.h"

namespace limber {

struct LevenbergMarquardtOptions {
  double tau = 1e-3;         ///< first lambda = tau * largest goal weight
  double tolerance = 1e-12;  ///< converged when no step, however damped, lowers f, except steps with -g.s <= tolerance
                             ///< * f, and f is flat (solvers/steps/flatness.h)
  int maxIterations = 500;   ///< cap of iterations

  static const TypedSolver<LevenbergMarquardtOptions>& solver();
};

}  // namespace limber
