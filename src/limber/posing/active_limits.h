// SPDX-License-Identifier: MIT
// What the limits do to a pose: which hold it, how strongly, and what would take it off them.
#pragma once

#include <vector>

#include "limber/objective/objective.h"

namespace limber {

/// The limits that hold an evaluated pose against its gradient (active x 1), the largest multiplier first.
void findActiveLimits(const Objective& objective, const Pose& pose, const Eigen::VectorXd& gradient,
                      std::vector<ActiveLimit>& limits);

/// Joints that these limits hold, each once, in their order.
std::vector<int> limitedJoints(const Figure& figure, const std::vector<ActiveLimit>& limits);

/// Max-norm of what the limits leave of the gradient: 0 at a Kuhn-Tucker point.
double freeGradientNorm(const Objective& objective, const Pose& pose, const Eigen::VectorXd& gradient);

/// step (active x 1): every held coordinate, and every held ball and tied group as one, by `turn` (radians, mean link
/// lengths) off its limit, the others not at all. False when nothing is held.
bool stepOffLimits(const Objective& objective, const Pose& pose, const Eigen::VectorXd& gradient, double turn,
                   Eigen::VectorXd& step);

}  // namespace limber
