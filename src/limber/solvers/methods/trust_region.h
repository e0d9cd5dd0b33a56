// SPDX-License-Identifier: MIT
// The trust-region method of Manopt, which Yenamandra et al. (Convex Optimisation for Inverse Kinematics, 2019, section
// 5.1) found the best of four local methods for inverse kinematics. Absil, Baker and Gallivan, Trust-region methods on
// Riemannian manifolds (2007), after Steihaug (1983) and Toint (1981):
//
//   repeat   s = argmin  g.s + 1/2 s'(H + C)s   within the free space and |s|_M <= radius, by conjugate gradients
//            preconditioned with M, stopped at |r| <= |r_0| min(|r_0|^theta, kappa), theta = 1, kappa = 0.1, at the
//            radius, or along the first direction of negative curvature, followed to the radius
//            trial = pose moved by s, projected into the limits;  rho = (f - f_trial) / the decrease by the model
//            accept when rho > 0.1 and f does not rise; rho < 1/4 quarters the radius, rho > 3/4 at it doubles it
//
// H is exact and enters only by products (objective/sweep/hessian_product.h): an inner iteration takes time linear in
// the figure. M measures angles in radians and lengths in mean link lengths; the free space and the curvature C of the
// active limits are those of objective/limits/free_space.h. Coordinates that the step would push out of a limit are
// held. If limits cut a step, the predicted decrease is that of the cut step. Before a solve ends, conjugate gradients
// for a fixed right-hand side search for negative curvature that the gradient does not show, as at a straight chain; a
// saddle is left along it.
#pragma once

#include "limber/solvers/typed_solver.h"

namespace limber {

struct TrustRegionOptions {
  int maxIterations = 1000;    ///< cap of iterations
  double tolerance = 1e-6;     ///< converged when |P g| in the metric's norm is at most this; f per radian
  double firstRadius = 0.125;  ///< of the first step, in units of the root of the number of active coordinates
  double largestRadius = 1.0;  ///< longest step, in the same unit

  static const TypedSolver<TrustRegionOptions>& solver();
};

/// Continues the solver from workspace.progress.
SolveStatus descendInTrustRegion(const Objective& objective, Pose& pose, const TrustRegionOptions& options,
                                 Workspace& workspace, SolveLoop& loop);

}  // namespace limber
