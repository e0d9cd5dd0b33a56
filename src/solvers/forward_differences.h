// SPDX-License-Identifier: MIT
// The assignment's check of the derivatives inside its loops ("Debugging the Derivatives"): forward differences with a
// step of 1e-7, of f for the gradient and of the gradient for the Hessian. It changes nothing of the solve.
#pragma once

#include "solvers/solver.h"

namespace limber {

/// Compares what workspace holds at the accepted pose, the gradient or the Hessian, both of the active coordinates, and
/// keeps the largest difference and the largest entry of the solve in workspace.progress. The step bends by half of it
/// times the second derivative, and 1e-7 divides the rounding of f: some 1e-6 of the largest entry are no fault.
void compareGradient(const Objective& objective, const Pose& pose, Workspace& workspace);
void compareHessian(const Objective& objective, const Pose& pose, Workspace& workspace);

}  // namespace limber
