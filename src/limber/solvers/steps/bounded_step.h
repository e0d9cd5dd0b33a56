// SPDX-License-Identifier: MIT
// How steps meet the limits. First, for every solver, what the limits leave free of a metric, a step or a product by H;
// then what every projected second-order solver does with a step of the damped system P (H + C + lambda M) P s = -P g,
// on gradient, direction, free space and trial of a workspace.
#pragma once

#include "limber/objective/sweep/hessian_product.h"
#include "limber/objective/sweep/newton_system.h"
#include "limber/solvers/solver.h"

namespace limber {

/// metric (active x 1): diagonal of M, the objective's metric with a follower's share counted for its drivers, and one
/// entry, the largest, for all scalars that limits tie: for these M and the projector P commute. For a limited ball
/// they do where its three entries are equal, which followers of its curves (Coupling::Pointing) end. P M^-1 P is
/// symmetric, and positive definite on free steps, in either case: a preconditioner needs no more.
void computeStepMetric(const Objective& objective, const Evaluation& evaluation, const FreeSpace& space,
                       Eigen::VectorXd& metric);

/// taken (active x 1) = P times the way from one pose to the other: limits may have cut the step, and what a curved
/// limit that holds adds across P is of second order, no part of a slope. `fullStep` is scratch.
void findTakenStep(const Objective& objective, const FreeSpace& space, const Pose& from, const Pose& to,
                   Eigen::VectorXd& fullStep, Eigen::VectorXd& taken);

/// Removes from `free` the coordinates that a limit of their own stops within `share` of their step; with a share of 0,
/// those that the limit lets move no way at all. Returns true if there are any. Springs stop no coordinate.
bool takeBlocked(const Objective& objective, const Pose& pose, const Workspace& workspace, const Eigen::VectorXd& step,
                 double share, std::vector<char>& free);

/// out = P (H + C) v for a v = P v, where C is the curvature of the limits that hold, or of the springs.
void applyWithin(HessianProduct& product, const Workspace& workspace, const Eigen::VectorXd& v, Eigen::VectorXd& out);

/// z = P M^-1 v.
void applyInverseMetric(const FreeSpace& space, const Eigen::VectorXd& metric, const Eigen::VectorXd& v,
                        Eigen::VectorXd& z);

/// Which limits hold, as a string of small numbers: equal when the same ones do.
void describeHeld(const FreeSpace& space, std::vector<char>& held);

/// workspace.trialPose: a step (active x 1) from the pose, within the limits and on those that hold. If limits are
/// springs, the step is taken whole, and couplings alone are met.
void moveWithin(const Objective& objective, const Pose& pose, const Eigen::VectorXd& step, Workspace& workspace);

/// Multipliers of zero, one a goal: J'WJ without the residuals' own curvature.
void clearMultipliers(const Objective& objective, std::vector<Residual>& multipliers);

/// The largest weight of a goal, by which some solvers measure theirs; 1 where no goal has any.
double largestWeight(const Objective& objective);

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
