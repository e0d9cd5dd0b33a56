// SPDX-License-Identifier: MIT
// The default solver: Newton's method with the exact Hessian, globalised.
//
//   repeat   project -g onto the tangent cone of the limits; this determines the active limits, and the free space of
//            directions that they leave
//            solve (H + C + lambda M) s = -g in the free space, with the smallest tried lambda for which the matrix is
//            positive definite; fix coordinates at a limit that s would move beyond it, and solve again
//            trial = pose moved by s, projected into the limits; if f falls by much less than predicted, up to three
//            second-order corrections  (H + lambda M) c = -J^T w (r_trial - r - J s)  with the same factors
//            accept if f falls by a fraction of the decrease that the slope predicts; else try the step up to the first
//            limit, else raise lambda
//
// f has gradient g and Hessian H; r are the residuals, J their Jacobian and w their weights. C is the curvature of the
// active limits, weighed by their multipliers, with which convergence along a curved limit (a cone) is as fast as
// without it. M measures angles in radians and lengths in mean link lengths, or in units of the largest goal error if
// that is longer than a mean link.
//
// The curvature of the residuals is weighed by multipliers nu: the linearised w (r + J s) of the last step if that step
// did well (primal-dual), else w r, which gives the Hessian of f. Both agree at a minimum. Convergence is found with
// the Hessian of f, or predicted from two successive steps with the same active limits and lambda = 0. At a saddle,
// where g vanishes and H is not positive definite (a straight chain whose goal lies on its axis), the solver leaves
// along a direction of negative curvature from the factorisation, with a fixed sign.
//
// f never rises, and limits hold at every iterate (projected Newton, Bertsekas 1982). An iteration takes time linear in
// the figure, and cubic in the number of additional unknowns for goals that depend on several links, couplings and
// active linear limits (objective/sweep/newton_system.h).
#pragma once

#include "limber/solvers/typed_solver.h"

namespace limber {

struct GlobalisedNewtonOptions {
  int maxIterations = 500;   ///< most iterations of a phase
  double tolerance = 1e-12;  ///< converged if H is positive definite, and the predicted decrease -g.s is at most
                             ///< tolerance * f plus rounding or g is only rounding (objective/gradient_rounding.h)

  static const TypedSolver<GlobalisedNewtonOptions>& solver();
};

/// Starts or resumes the phase of a solve that workspace.progress describes. pose: within the limits; at the end, the
/// last accepted iterate. Returns Converged, Stalled (no step lowers f) or IterationCap; or BudgetSpent or Cancelled,
/// after which a call with the same workspace resumes it.
SolveStatus iterateGlobalisedNewton(const Objective& objective, Pose& pose, const GlobalisedNewtonOptions& options,
                                    Workspace& workspace, SolveLoop& loop);

}  // namespace limber
