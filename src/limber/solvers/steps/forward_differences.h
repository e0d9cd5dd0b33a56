// SPDX-License-Identifier: MIT
// The assignment's check of the derivatives inside its loops ("Debugging the Derivatives"): forward differences with a
// step of 1e-7, of f for the gradient and of the gradient for the Hessian. It changes nothing of the solve.
#pragma once

#include "limber/solvers/solver.h"

namespace limber {

/// Compares the gradient that workspace holds, or the Hessian, at the accepted pose and of the active coordinates, and
/// keeps the largest difference and the largest entry of the solve in workspace.progress. Forward differences are
/// themselves off by half the step times the next derivative, 5e-4 for a gradient beside a curvature of 1e4, and by the
/// rounding of f over the step.
void compareGradient(const Objective& objective, const Pose& pose, Workspace& workspace);
void compareHessian(const Objective& objective, const Pose& pose, const Eigen::MatrixXd& hessian, Workspace& workspace);

}  // namespace limber
