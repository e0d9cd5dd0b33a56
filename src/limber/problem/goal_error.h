// SPDX-License-Identifier: MIT
// How far a goal is from being met, in the units that people read: metres and radians, not the solver's residual.
#pragma once

#include "limber/kinematics/forward_kinematics.h"
#include "limber/problem/ik_problem.h"

namespace limber {

/// What is left of a goal; -1 where it asks nothing of the kind.
///
///   length  metres: from the point to its target (place), line, plane, allowed distance, or the other link's point;
///           of the centre of mass: across, for its height is free; keep-pose: the worst of the sliding joints
///   angle   radians: of the rotation, or of the one direction that is not free; aim: between the ray and the way to
///   the target;
///           keep-pose: the worst of the turning joints
struct GoalError {
  double length = -1.0;
  double angle = -1.0;
};

/// From the kinematics of the problem's pose. Never a NaN for finite input; a target on the aiming point is met.
GoalError goalErrorOf(const IkProblem& problem, const Kinematics& kinematics, const GoalItem& goal);

/// How far a pinned link is from where it was pinned; -1 for what the pin leaves free.
GoalError pinErrorOf(const Kinematics& kinematics, const Pin& pin);

/// The error below which a goal counts as reached.
struct Tolerance {
  double length = 0.0;  ///< metres
  double angle = 0.0;   ///< radians
};
Tolerance toleranceOf(const IkProblem& problem);
/// So many mean link lengths and radians.
Tolerance relativeTolerance(const Figure& figure, double relative);

/// Within a tolerance.
bool isWithin(const GoalError& error, const Tolerance& tolerance);
/// Within the problem's tolerance.
bool isMet(const IkProblem& problem, const GoalError& error);

/// In the world; the figure's origin when it has no mass.
Eigen::Vector3d centreOfMassOf(const Figure& figure, const Kinematics& kinematics);

}  // namespace limber
