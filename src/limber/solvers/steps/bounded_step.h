// SPDX-License-Identifier: MIT
// How a step of the damped system P (H + C + lambda M) P s = -P g meets the limits: what every projected second-order
// solver does with it. All work on gradient, direction, free space and trial of a workspace.
#pragma once

#include "limber/objective/sweep/newton_system.h"
#include "limber/solvers/solver.h"

namespace limber {

/// workspace.trialPose: a step (active x 1) from the pose, within the limits and on those that hold.
void moveWithin(const Objective& objective, const Pose& pose, const Eigen::VectorXd& step, Workspace& workspace);

/// Multipliers of zero, one a goal: J'WJ without the residuals' own curvature.
void clearMultipliers(const Objective& objective, std::vector<Residual>& multipliers);

/// Turns a direction round unless its first coordinate that matters grows.
void fixSign(Eigen::VectorXd& direction);

/// v'M v, after a factorisation.
inline double dampingNorm(const NewtonSystem& system, const Eigen::VectorXd& v) {
  return system.metric().dot(v.cwiseProduct(v));
}

/// A coordinate whose gradient points inward is free, yet the step may push it out of a limit that it stands on, or
/// nearly: cut off there, the rest of the step is no longer a good one. Such coordinates are held for this step, as
/// long as it still promises a fair part of what it did: its decrement -g.s, which is given and returned.
///
/// free                  (active), what the limits leave free
/// workspace.direction   the step of the system at lambda; replaced
/// workspace.freeSpace   what the returned step uses of it
double holdBlocked(const Objective& objective, const Pose& pose, double lambda, double decrement,
                   const std::vector<char>& free, NewtonSystem& system, Workspace& workspace);

/// Gradient times the step that was really taken to workspace.trialPose: limits may have cut it. What a curved limit
/// that holds adds of second order, across the free space, is no part of the slope.
double slopeOfTrial(const Objective& objective, const Pose& pose, const Workspace& workspace);

}  // namespace limber
