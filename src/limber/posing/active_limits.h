// SPDX-License-Identifier: MIT
// Active limits of a pose: which limits hold it, with which multipliers, and a step that leaves them.
#pragma once

#include <vector>

#include "limber/objective/objective.h"

namespace limber {

/// The limits that hold an evaluated pose against its gradient (active x 1), the largest multiplier first. `space` is
/// scratch; nothing is allocated once it and `limits` are sized.
void findActiveLimits(const Objective& objective, const Pose& pose, const Eigen::VectorXd& gradient, FreeSpace& space,
                      std::vector<ActiveLimit>& limits);

/// joints = those that these limits hold, without repetition, in the same order.
void findLimitedJoints(const Figure& figure, const std::vector<ActiveLimit>& limits, std::vector<int>& joints);

/// Max-norm of the gradient projected to the free space of the limits: 0 at a Kuhn-Tucker point. `space` and
/// `projected` are scratch.
double freeGradientNorm(const Objective& objective, const Pose& pose, const Eigen::VectorXd& gradient, FreeSpace& space,
                        Eigen::VectorXd& projected);

/// step (active x 1): moves every held coordinate, and every held ball and tied group as a whole, by `turn` (radians,
/// mean link lengths) off its limit, and no others. False if no limit is active.
bool stepOffLimits(const Objective& objective, const Pose& pose, const Eigen::VectorXd& gradient, double turn,
                   Eigen::VectorXd& step);

}  // namespace limber
