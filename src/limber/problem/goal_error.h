// SPDX-License-Identifier: MIT
// The error of a goal in metres and radians (not the solver's residual).
#pragma once

#include "limber/kinematics/forward_kinematics.h"
#include "limber/problem/ik_problem.h"

namespace limber {

/// The remaining error of a goal; -1 for a kind that the goal does not constrain.
///
///   length  metres: from the point to its target, line, plane, allowed distance, or the other link's point;
///           centre of mass: horizontal; keep-pose: the largest error of a sliding joint
///   angle   radians: of the rotation, or of the one direction that is not free; aim: between the ray and the
///           direction to the target; keep-pose: the largest error of a turning joint
struct GoalError {
  double length = -1.0;
  double angle = -1.0;
};

/// From the kinematics of the problem's pose. Never a NaN for finite input; a target on the aiming point is met.
GoalError goalErrorOf(const IkProblem& problem, const Kinematics& kinematics, const GoalItem& goal);

/// The error of a pinned link; -1 for position or rotation that the pin leaves free.
GoalError pinErrorOf(const Kinematics& kinematics, const Pin& pin);

/// The error below which a goal counts as reached.
struct Tolerance {
  double length = 0.0;  ///< metres
  double angle = 0.0;   ///< radians
};
Tolerance toleranceOf(const IkProblem& problem);
/// A tolerance in mean link lengths and radians.
Tolerance relativeTolerance(const Figure& figure, double relative);

/// True if the error is within a tolerance.
bool isWithin(const GoalError& error, const Tolerance& tolerance);
/// True if the error is within the problem's tolerance.
bool isMet(const IkProblem& problem, const GoalError& error);

/// The centre of mass in the world; the figure's origin if it has no mass.
Eigen::Vector3d centreOfMassOf(const Figure& figure, const Kinematics& kinematics);

}  // namespace limber
