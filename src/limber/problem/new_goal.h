// SPDX-License-Identifier: MIT
// Goals that the current pose meets: adding them, and moving their targets after the figure was posed by hand.
#pragma once

#include <optional>

#include "limber/kinematics/forward_kinematics.h"
#include "limber/problem/ik_problem.h"

namespace limber {

/// The part of a figure that a goal moves: a point and a frame on a link.
struct EndEffector {
  int link = 0;
  Eigen::Vector3d point = Eigen::Vector3d::Zero();      ///< metres, in the link
  Eigen::Matrix3d frame = Eigen::Matrix3d::Identity();  ///< axes as columns, in the link
};

/// Axes, as columns, with x along `direction` (not zero), rotated by the shortest turn from the world's axes.
Eigen::Matrix3d frameAlong(const Eigen::Vector3d& direction);

/// The default end effector of a link: its first site, else the end of its last capsule with x along it, else its
/// origin.
EndEffector endEffectorOf(const Figure& figure, int link);

/// The default end effector of a figure: the first site on a leaf link, else the end of the last leaf link.
EndEffector mainEndEffector(const Figure& figure);

/// Adds an enabled goal that the current pose meets, and returns its id.
///
///   planes, half-spaces   normal up, so that the point stays above
///   aim                   at a point one mean link length ahead
///   distance              exactly the current one to the other end effector; without one at most a mean link length
///   relative              the current position and frame in the other link
///   pose, centre of mass  the current one; only the link of `end` is used
///   swivel                the current direction of the bend between the link and the bone above it
int addGoal(IkProblem& problem, GoalType type, const EndEffector& end, const std::optional<EndEffector>& other = {});

/// Changes the goal so that the current pose meets it: its target, or its values for another link or a pose.
void askForPresent(const IkProblem& problem, const Kinematics& kinematics, GoalItem& goal);

/// Changes the goal so that the current pose meets it, as on entering inverse mode. Values for another link or a pose,
/// and the pixel of a goal in a picture, do not change.
void moveTargetToEndEffector(const IkProblem& problem, const Kinematics& kinematics, GoalItem& goal);

}  // namespace limber
