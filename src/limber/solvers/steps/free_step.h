// SPDX-License-Identifier: MIT
// Steps within what the limits leave free, for solvers that know H by products or by past steps alone.
#pragma once

#include "limber/objective/sweep/hessian_product.h"

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

/// Takes the coordinates out of `free` that a limit of their own lets go no farther than `share` of their step, not
/// even there where share is 0. True when there are any.
bool takeBlocked(const Objective& objective, const Pose& pose, const Eigen::VectorXd& step, double share,
                 std::vector<char>& free);

/// out = P (H + C) v for a v = P v, C the curvature of the limits that hold.
void applyWithin(HessianProduct& product, const FreeSpace& space, const Eigen::VectorXd& v, Eigen::VectorXd& out);

/// z = P M^-1 v.
void applyInverseMetric(const FreeSpace& space, const Eigen::VectorXd& metric, const Eigen::VectorXd& v,
                        Eigen::VectorXd& z);

/// Which limits hold, as a string of small numbers: equal when the same ones do.
void describeHeld(const FreeSpace& space, std::vector<char>& held);

}  // namespace limber
