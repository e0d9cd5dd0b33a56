// SPDX-License-Identifier: MIT
// Steps within limits. First, for every solver: metric, step and products by H in the free space. Then, for projected
// second-order solvers: steps of the damped system P (H + C + lambda M) P s = -P g, on gradient, direction, free space
// and trial of a workspace.
#pragma once

#include "limber/objective/sweep/hessian_product.h"
#include "limber/objective/sweep/newton_system.h"
#include "limber/solvers/solver.h"

namespace limber {

/// metric (active x 1): diagonal of M, the objective's metric with the share of followers added to their drivers, and
/// the largest entry for all scalars of a linear limit, so that M and the projector P commute for these. For a limited
/// ball they commute if its three entries are equal, which followers of Coupling::Pointing can prevent. In any case P
/// M^-1 P is symmetric and positive definite on free steps, which is enough for a preconditioner.
void computeStepMetric(const Objective& objective, const Evaluation& evaluation, const FreeSpace& space,
                       Eigen::VectorXd& metric);

/// taken (active x 1) = P times the difference of two poses: limits may have cut the step, and the second-order part
/// across P, due to an active curved limit, does not count for a slope. `fullStep` is scratch.
void findTakenStep(const Objective& objective, const FreeSpace& space, const Pose& from, const Pose& to,
                   Eigen::VectorXd& fullStep, Eigen::VectorXd& taken);

/// Removes from `free` the coordinates that their own limit stops within `share` of their step; with a share of 0,
/// those that the limit stops at once. Returns true if there are any. Springs stop no coordinate.
bool takeBlocked(const Objective& objective, const Pose& pose, const Workspace& workspace, const Eigen::VectorXd& step,
                 double share, std::vector<char>& free);

/// out = P (H + C) v for a v = P v, where C is the curvature of the active limits, or of the springs.
void applyWithin(HessianProduct& product, const Workspace& workspace, const Eigen::VectorXd& v, Eigen::VectorXd& out);

/// z = P M^-1 v.
void applyInverseMetric(const FreeSpace& space, const Eigen::VectorXd& metric, const Eigen::VectorXd& v,
                        Eigen::VectorXd& z);

/// The active limits as a string of small numbers: equal for equal sets.
void describeHeld(const FreeSpace& space, std::vector<char>& held);

/// workspace.trialPose: the pose moved by a step (active x 1), within the limits and on the active ones. If limits are
/// springs, the step is not cut, and only couplings are met.
void moveWithin(const Objective& objective, const Pose& pose, const Eigen::VectorXd& step, Workspace& workspace);

/// Sets all multipliers (one per goal) to zero, which leaves J'WJ without the residuals' curvature.
void clearMultipliers(const Objective& objective, std::vector<Residual>& multipliers);

/// The largest weight of a goal, the unit of some solvers; 1 if no goal has a weight.
double largestWeight(const Objective& objective);

/// Reverses a direction unless its first significant coordinate is positive.
void fixSign(Eigen::VectorXd& direction);

/// Returns v'M v, after a factorisation.
inline double dampingNorm(const NewtonSystem& system, const Eigen::VectorXd& v) {
  return system.metric().dot(v.cwiseProduct(v));
}

/// A coordinate whose gradient points inward is free, but the step may push it out of a limit that it is on or close
/// to. If the step were cut there, the rest of it would be poor. Such coordinates are held for this step, as long as it
/// keeps a fair part of its predicted decrease, the decrement -g.s, which is given and returned.
///
/// free                  (active), the free coordinates
/// workspace.direction   the step of the system at lambda; replaced
/// workspace.freeSpace   the part that the returned step uses
double holdBlocked(const Objective& objective, const Pose& pose, double lambda, double decrement,
                   const std::vector<char>& free, NewtonSystem& system, Workspace& workspace);

/// Gradient times the actual step to workspace.trialPose, which limits may have cut. The second-order part across the
/// free space, due to an active curved limit, does not count.
double slopeOfTrial(const Objective& objective, const Pose& pose, const Workspace& workspace);

}  // namespace limber
