// SPDX-License-Identifier: MIT
// Goals that ask for what is so already: how they are planted, and where they go when the figure was posed by hand.
#pragma once

#include <optional>

#include "limber/kinematics/forward_kinematics.h"
#include "limber/problem/ik_problem.h"

namespace limber {

/// What a goal moves: a point and a frame on a link.
struct EndEffector {
  int link = 0;
  Eigen::Vector3d point = Eigen::Vector3d::Zero();      ///< metres, in the link
  Eigen::Matrix3d frame = Eigen::Matrix3d::Identity();  ///< axes as columns, in the link
};

/// Axes, as columns, with x along `direction` (not zero) and the others where the shortest turn from the world's puts
/// them.
Eigen::Matrix3d frameAlong(const Eigen::Vector3d& direction);

/// The natural one of a link: its first site, else the end of its last capsule with x along it, else its origin.
EndEffector endEffectorOf(const Figure& figure, int link);

/// The end effector of a figure when none is named: the first site on a leaf link, else the end of the last leaf link.
EndEffector mainEndEffector(const Figure& figure);

/// Adds an enabled goal that the present pose meets, and returns its id.
///
///   planes, half-spaces   normal up: what is above stays above
///   aim                   at a point one mean link length ahead
///   distance              exactly the present one to the other end effector; without one within a mean link length
///   relative              the present place and frame in the other link
///   pose, centre of mass  the present one; `end` only lends its link
///   swivel                the way that the link bends against the bone above it, from that bone's root to its own end
int addGoal(IkProblem& problem, GoalType type, const EndEffector& end, const std::optional<EndEffector>& other = {});

/// The goal asks for what is so now: its target moves, or what it asks of another link or a pose.
void askForPresent(const IkProblem& problem, const Kinematics& kinematics, GoalItem& goal);

/// Changes the goal so that the present pose meets it, as entering inverse mode does; what it asks of another link,
/// or of a pose, and where a picture shows its point, stay as they were.
void moveTargetToEndEffector(const IkProblem& problem, const Kinematics& kinematics, GoalItem& goal);

}  // namespace limber
