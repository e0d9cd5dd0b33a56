// SPDX-License-Identifier: MIT
// Newton's method for serial planar chains, to which the default hands such objectives
// (objective/sweep/planar_chain.h).
//
//   repeat   solve (H + lambda) d = -g for the step and the goals' multipliers nu, lambda the smallest tried that is
//            positive definite; the curvature is weighed by the last nu (primal-dual), near a minimum by w e
//            while the trial is worse than promised: second-order corrections, up to three, with the same factors
//            accept when f falls by a part of what is promised, else raise lambda
//
// An iteration is two sweeps along the chain; how many hardly depends on its length. A solve ends where a full
// step promises less than the tolerance or than rounding can tell, and the Hessian of f itself is positive definite; a
// saddle is left along the lowest curvature. Under Start::Anywhere a chain that rests straight begins as a circular arc
// from its base to the goal. Between iterates f never rises; at the end it is the Objective's own value that has not.
#pragma once

#include <optional>

#include "limber/solvers/methods/globalised_newton.h"

namespace limber {

/// Nothing, and nothing touched but the projected pose, when the objective is no planar chain at the pose.
std::optional<Summary> solvePlanarChain(const Objective& objective, Pose& pose, const GlobalisedNewtonOptions& options,
                                        Workspace& workspace, const Budget& budget, Start start, Observer* observer);

}  // namespace limber
