// SPDX-License-Identifier: MIT
// The default solver: Newton's method with the exact Hessian, globalised.
//
//   repeat   free space = the directions that no active limit holds, by projecting -g onto the tangent cone
//            solve (H + C + lambda M) s = -g within it, lambda the smallest tried that is positive definite; hold
//            coordinates that s would push out of a limit that they are on, and solve again
//            trial = pose moved by s, projected into the limits; if the goals curve away, up to three second-order
//            corrections  (H + lambda M) c = -J^T w (r_trial - r - J s)  with the same factors
//            accept if f falls by a fraction of the decrease that the slope predicts, else raise lambda
//
// M measures angles in radians and lengths in mean link lengths, or in units of the largest residual if that is longer.
// The curvature of the residuals is weighed by multipliers nu: the linearised w (r + J s) of the last step if that step
// did well (primal-dual), else w r, which gives the Hessian of f. Both agree at a minimum, and a solve ends only with
// the latter. At a saddle, where the gradient vanishes and the Hessian is not positive definite (a straight chain whose
// goal lies on its axis), it leaves along the direction of negative curvature that the sweep found, with a fixed sign.
// f never rises, and limits hold at every iterate (projected Newton, Bertsekas 1982). C is the curvature of the active
// limits, weighed by their multipliers, so that a pose slides along a cone as fast as it moves freely. An iteration
// takes time linear in the figure, and cubic in the number of unknowns due to goals over several links, couplings and
// active linear limits (objective/sweep/newton_system.h).
#pragma once

#include "limber/solvers/typed_solver.h"

namespace limber {

struct GlobalisedNewtonOptions {
  int maxIterations = 500;   ///< cap of iterations
  double tolerance = 1e-12;  ///< converged when -g.s <= tolerance * f, or is below its rounding, or g is only rounding
                             ///< (objective/gradient_rounding.h), and H is positive definite

  static const TypedSolver<GlobalisedNewtonOptions>& solver();
};

/// Continues the phase from workspace.progress. It can be resumed after BudgetSpent and Cancelled.
SolveStatus iterateGlobalisedNewton(const Objective& objective, Pose& pose, const GlobalisedNewtonOptions& options,
                                    Workspace& workspace, SolveLoop& loop);

}  // namespace limber
