// SPDX-License-Identifier: MIT
// NM, Newton's method with the exact Hessian, as in the course assignment:
//
//   repeat at most iterMax = 10 n times:   solve H s = -g;   q <- q + s;   stop when the step is shorter than tol
//
// It has no safeguard: far from a minimum it may climb to a saddle or jump away. The hybrid keeps its answer only if f
// fell, and the default solver is the globalised Newton. Iterates are clamped to the joint limits, which do not enter
// the step.
#pragma once

#include "limber/solvers/typed_solver.h"

namespace limber {

struct NewtonsMethodOptions {
  int iterationsPerCoordinate = 10;  ///< iterMax = this * n, n = active coordinates
  double tol = 1e-6;                 ///< stop when max |s| < tol; radians, mean link lengths
  bool forwardDifferences = false;   ///< compare gradient and Hessian with forward differences in each iteration

  static const TypedSolver<NewtonsMethodOptions>& solver();
};

/// Continues the phase from workspace.progress. It can be resumed after BudgetSpent and Cancelled.
SolveStatus iterateNewton(const Objective& objective, Pose& pose, const NewtonsMethodOptions& options,
                          Workspace& workspace, SolveLoop& loop);

}  // namespace limber
