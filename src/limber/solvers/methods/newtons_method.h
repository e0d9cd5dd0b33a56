// SPDX-License-Identifier: MIT
// NM, Newton's method with the exact Hessian, as the course assignment has it:
//
//   repeat at most iterMax = 10 n times:   solve H s = -g;   q <- q + s;   stop when the step is shorter than tol
//
// No safeguard: far from a minimum it may climb to a saddle or jump away. That is the method; the hybrid keeps its
// answer only where f fell, and the application's default is the globalised Newton. Iterates are clamped to the joint
// limits, which do not enter the step.
#pragma once

#include "limber/solvers/typed_solver.h"

namespace limber {

struct NewtonsMethodOptions {
  int iterationsPerCoordinate = 10;  ///< iterMax = this * n, n = active coordinates
  double tol = 1e-6;                 ///< stop when max |s| < tol; radians, mean link lengths
  bool forwardDifferences = false;   ///< compare gradient and Hessian with them in each iteration

  static const TypedSolver<NewtonsMethodOptions>& solver();
};

/// Runs the phase from where workspace.progress stands. BudgetSpent and Cancelled leave it resumable.
SolveStatus iterateNewton(const Objective& objective, Pose& pose, const NewtonsMethodOptions& options,
                          Workspace& workspace, SolveLoop& loop);

}  // namespace limber
