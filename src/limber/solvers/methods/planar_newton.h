// SPDX-License-Identifier: MIT
// Newton's method for serial planar chains, which the default solver uses for such objectives
// (objective/sweep/planar_chain.h).
//
//   repeat   solve (H + lambda) d = -g for the step and the goals' multipliers nu, lambda the smallest tried that is
//            positive definite; the curvature is weighed by the last nu (primal-dual), near a minimum by w e
//            while the trial is worse than predicted: second-order corrections, up to three, with the same factors
//            accept if f falls by a fraction of the predicted decrease, else raise lambda
//
// An iteration is two sweeps along the chain; the number of iterations hardly depends on its length. A solve ends when
// a full step predicts a decrease below the tolerance or below rounding, and the Hessian of f itself is positive
// definite; a saddle is left along the lowest curvature. Under Start::Anywhere a chain that rests straight begins as a
// circular arc from its base to the goal. f never rises between iterates, nor, at the end, does the value that the
// Objective computes.
#pragma once

#include <optional>

#include "limber/solvers/methods/globalised_newton.h"

namespace limber {

/// Empty, with only the pose projected, if the objective is not a planar chain at the pose.
std::optional<Summary> solvePlanarChain(const Objective& objective, Pose& pose, const GlobalisedNewtonOptions& options,
                                        Workspace& workspace, const Budget& budget, Start start, Observer* observer);

}  // namespace limber
