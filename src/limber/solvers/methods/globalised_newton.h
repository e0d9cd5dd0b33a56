// SPDX-License-Identifier: MIT
// The application's default: Newton's method with the exact Hessian, made safe and quick.
//
//   repeat   free space = what no limit holds, by the projection of -g onto the directions that stay inside
//            solve (H + C + lambda M) s = -g within it, lambda the smallest tried that is positive definite; hold what
//            s would push out of a limit that it stands on, and solve again
//            trial = pose moved by s, projected into the limits; where the goals curve away, up to three second-order
//            corrections  (H + lambda M) c = -J^T w (r_trial - r - J s)  with the same factors
//            accept when f falls by a part of what the slope promises, else raise lambda
//
// M measures angles in radians and lengths in mean link lengths, or in the largest residual where that is longer. The
// curvature of the residuals is weighed by
// multipliers nu: the linearised w (r + J s) of the last step when that step did well (primal-dual), else w r, which
// is the Hessian of f. Both agree at a minimum, and a solve ends only on the latter. At a saddle, where the gradient
// vanishes and the Hessian is not positive definite (a straight chain whose goal lies on its axis), it leaves along
// the direction of negative curvature that the sweep found, with a fixed sign. f never rises, limits hold at every
// iterate (projected Newton, Bertsekas 1982). C is the curvature of the limits that hold, weighed by their multipliers:
// a pose slides along a cone as quickly as it moves freely. An iteration costs time linear in the figure, cubic where
// goals join links, coordinates follow others, or linear limits tie them (objective/sweep/newton_system.h).
#pragma once

#include "limber/solvers/typed_solver.h"

namespace limber {

struct GlobalisedNewtonOptions {
  int maxIterations = 500;   ///< cap of iterations
  double tolerance = 1e-12;  ///< converged when -g.s <= tolerance * f, or below its rounding, or g is rounding alone
                             ///< (objective/gradient_rounding.h), and H is positive definite

  static const TypedSolver<GlobalisedNewtonOptions>& solver();
};

/// Runs the phase from where workspace.progress stands. BudgetSpent and Cancelled leave it resumable.
SolveStatus iterateGlobalisedNewton(const Objective& objective, Pose& pose, const GlobalisedNewtonOptions& options,
                                    Workspace& workspace, SolveLoop& loop);

}  // namespace limber
