// SPDX-License-Identifier: MIT
// L-BFGS with exact limits: the inverse Hessian from the last steps (solvers/steps/limited_memory.h) within the free
// space of the limits, as in projected quasi-Newton methods (Bertsekas 1982; Byrd, Lu, Nocedal and Zhu 1995 for
// bounds):
//
//   d = -H P g,  H the two-loop recursion with all pairs projected by P;  coordinates that d would push out of a limit
//   that they are on are held, and d is found anew
//   line search from gamma = 1 (solvers/steps/line_search.h), trials projected
//   y = change of g minus the forces of active cones and twists at both ends, so that their curvature is in H
//
// P is that of objective/limits/free_space.h: bounds, linear limits, ball joints. Defaults are those of Manopt, which
// Yenamandra et al. (Convex Optimisation for Inverse Kinematics, 2019) use. Every iterate is within the limits, and f
// never rises.
#pragma once

#include "limber/solvers/typed_solver.h"

namespace limber {

struct LbfgsOptions {
  int maxIterations = 1000;  ///< cap of iterations
  double tolerance = 1e-6;   ///< converged when |P g| in the metric's norm is at most this; f per radian
  int memory = 30;           ///< number of past steps that describe the curvature

  static const TypedSolver<LbfgsOptions>& solver();
};

/// Continues the solver from workspace.progress.
SolveStatus descendByLbfgs(const Objective& objective, Pose& pose, const LbfgsOptions& options, Workspace& workspace,
                           SolveLoop& loop);

}  // namespace limber
