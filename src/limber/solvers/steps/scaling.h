// SPDX-License-Identifier: MIT
// Section 11 of Zhao and Badler (1994): rigidities as a scaling of the variables.
#pragma once

#include "limber/objective/objective.h"

namespace limber {

/// The first regulariser's weight on an angle of rigidity zero, the smallest among the active coordinates by their
/// metric; infinite when none is active.
double softestWeight(const Objective& objective);

/// scale (active x 1): c_k = 1 - rigidity for angles, (1 - rigidity) L for lengths, up to a common factor. From the
/// first regulariser, whose weights are softest * metric_k / (1 - rigidity_k)^2; without weights all rigidities are 0.
void computeScale(const Objective& objective, Eigen::VectorXd& scale);

/// s'(J'wJ + R)s, the Gauss-Newton curvature of f along an active step, after computeGradient. `changes` is scratch.
double curvatureAlong(const Objective& objective, Evaluation& evaluation, const Eigen::VectorXd& step,
                      std::vector<Residual>& changes);

}  // namespace limber
