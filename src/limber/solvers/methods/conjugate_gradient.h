// SPDX-License-Identifier: MIT
// Nonlinear conjugate gradients, preconditioned with the metric: the method of Polak and Ribiere (1969) with Powell's
// restart where beta would be negative (PR+, Gilbert and Nocedal 1992), one of the four local methods that Yenamandra
// et al. (Convex Optimisation for Inverse Kinematics, 2019, section 5.1) compare.
//
//   d = -z + beta d_old,   z = P M^-1 g,   beta = max(0, z.(g - g_old) / z_old.g_old)
//   first step: to the minimum of the parabola along d, by one product with the exact Hessian (Daniel 1967)
//
// M measures angles in radians and lengths in mean link lengths; P and the curvature of the active limits are those of
// objective/limits/free_space.h. It restarts from -z if the set of active limits has changed, or if d is not a descent
// direction. Trials are projected into the limits (solvers/steps/line_search.h): every iterate is within them, f never
// rises.
#pragma once

#include "limber/solvers/typed_solver.h"

namespace limber {

struct ConjugateGradientOptions {
  int maxIterations = 1000;  ///< cap of iterations
  double tolerance = 1e-6;   ///< converged when |P g| in the metric's norm is at most this; f per radian

  static const TypedSolver<ConjugateGradientOptions>& solver();
};

/// Continues the solver from workspace.progress.
SolveStatus descendByConjugateGradients(const Objective& objective, Pose& pose, const ConjugateGradientOptions& options,
                                        Workspace& workspace, SolveLoop& loop);

}  // namespace limber
