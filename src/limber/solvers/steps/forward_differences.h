// SPDX-License-Identifier: MIT
// The assignment's check of the derivatives inside its loops ("Debugging the Derivatives"): forward differences with a
// step of 1e-7, of f for the gradient and of the gradient for the Hessian. It does not affect the solve.
#pragma once

#include "limber/solvers/solver.h"

namespace limber {

/// Compares the gradient in the workspace, or the Hessian, at the accepted pose and for the active coordinates, and
/// keeps the largest difference and the largest entry of the solve in workspace.progress. Forward differences have an
/// error of half the step times the next derivative (5e-4 for a gradient at a curvature of 1e4), and of the rounding of
/// f divided by the step.
void compareGradient(const Objective& objective, const Pose& pose, Workspace& workspace);
void compareHessian(const Objective& objective, const Pose& pose, const Eigen::MatrixXd& hessian, Workspace& workspace);

}  // namespace limber
