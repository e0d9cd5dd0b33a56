// SPDX-License-Identifier: MIT
// Tests whether f can still fall, for solvers whose own model does not show it: a metric learnt from steps, a Hessian
// without the residuals' curvature, damping that makes every step short. Called when such a solver would end.
#pragma once

#include "limber/objective/gradient_rounding.h"
#include "limber/objective/sweep/hessian_product.h"
#include "limber/solvers/solver.h"

namespace limber {

/// Memory of this test in a solver.
struct FlatnessMemory {
  HessianProduct product;
  GradientRounding rounding;
  Eigen::VectorXd metric, projected, scaled, image;  ///< (active x 1), diagonal of M; P g; P M^-1 g; P (H + C) v
};

/// True if the parabolas along -P g and along -P M^-1 g, both with the exact Hessian and the curvature C of the active
/// limits, predict that f falls by at most 1e-12 of it plus ten of its roundings; or if P g is only rounding.
///
/// workspace  current evaluation, gradient and free space of the pose in question
/// cost       two products by the Hessian, in time linear in the figure; no allocation when warm
bool isFlat(const Objective& objective, const Workspace& workspace, FlatnessMemory& memory);

}  // namespace limber
