// SPDX-License-Identifier: MIT
// L-BFGS with true limits: the inverse Hessian from the last steps (solvers/steps/limited_memory.h), in what the limits
// leave free, in the manner of projected quasi-Newton methods (Bertsekas 1982; Byrd, Lu, Nocedal and Zhu 1995 for
// bounds):
//
//   d = -H P g,  H the two-loop recursion with all pairs projected by P;  coordinates that d would push across a limit
//   on which they stand are held and d found anew;  line search from gamma = 1 (solvers/steps/line_search.h), trials
//   projected y = change of g, less what cones and twists that hold push back at either end: their curvature is then in
//   H
//
// P is that of objective/limits/free_space.h: bounds, linear limits, ball joints. Defaults are Manopt's, with which
// Yenamandra et al. (Convex Optimisation for Inverse Kinematics, 2019) compare. Every iterate is within the limits, f
// never rises.
#pragma once

#include "limber/solvers/typed_solver.h"

namespace limber {

struct LbfgsOptions {
  int maxIterations = 1000;  ///< cap of iterations
  double tolerance = 1e-6;   ///< converged when |P g| in the metric's norm is no longer; f per radian
  int memory = 30;           ///< past steps from which the curvature is known

  static const TypedSolver<LbfgsOptions>& solver();
};

/// Runs the solver from where workspace.progress stands.
SolveStatus descendByLbfgs(const Objective& objective, Pose& pose, const LbfgsOptions& options, Workspace& workspace,
                           SolveLoop& loop);

}  // namespace limber
