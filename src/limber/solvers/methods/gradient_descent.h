// SPDX-License-Identifier: MIT
// GDLS, gradient descent with backtracking line search, as in the course assignment:
//
//   repeat at most iterMax = 10 n times:   s = -alpha g;   halve alpha until f(q + s) < f(q);   q <- q + s
//   stop when the step is shorter than tol
//
// alpha starts at alphaInit in the first iteration; with carryAlpha it is then carried over and doubled after each
// success, without it every iteration starts at alphaInit again. Trials are projected into the joint limits.
#pragma once

#include "limber/solvers/typed_solver.h"

namespace limber {

struct GradientDescentOptions {
  int iterationsPerCoordinate = 10;  ///< iterMax = this * n, n = active coordinates (links of a chain)
  double alphaInit = 1e-4;           ///< first step length, > 0
  double tol = 1e-6;                 ///< stop when max |s| < tol; radians, mean link lengths
  bool carryAlpha = true;            ///< keep alpha and double it after a success; else start at alphaInit each time
  bool forwardDifferences = false;   ///< compare the gradient with forward differences in each iteration

  static const TypedSolver<GradientDescentOptions>& solver();
};

/// Continues the phase from workspace.progress. It can be resumed after BudgetSpent and Cancelled.
SolveStatus descend(const Objective& objective, Pose& pose, const GradientDescentOptions& options, Workspace& workspace,
                    SolveLoop& loop);

}  // namespace limber
