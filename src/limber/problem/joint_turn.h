// SPDX-License-Identifier: MIT
// Joints turned and slid by hand: forward edits that keep within limits, and take along what was asked of the links.
#pragma once

#include "limber/problem/ik_problem.h"

namespace limber {

/// Adds `amount` (radians; metres for prismatic) to one coordinate of a joint, within its limits. `coordinate` counts
/// the joint's step coordinates. Works on ball and free joints too: a turn about the link's own axis. A joint that
/// follows others turns its drivers, each by its share: as little as moves the follower that far to first order. Linear
/// limits and the intervals of followers stop it too.
void turnJoint(IkProblem& problem, int joint, int coordinate, double amount);

/// Turns a ball or free joint about an axis through its centre (unit, in the joint's frame), radians. Where a limit is
/// in the way it goes along it, as far as the turn leads that way: in turns of a few degrees, each brought inside, so
/// that it never comes out on the other side of a cone. Other joints: no change.
void turnAbout(IkProblem& problem, int joint, const Eigen::Vector3d& axisInJoint, double angle);

/// Shifts a free joint, metres along the axes of its joint frame. Other joints: no change.
void shiftFree(IkProblem& problem, int joint, const Eigen::Vector3d& wayInJoint);

/// After a forward edit: the targets of goals whose end effector it has moved come along (moveTargetToEndEffector); the
/// others stay what they are. `before`: the problem as it was, with the same goals. Returns how many came.
int bringTargetsAlong(const IkProblem& before, IkProblem& problem);

}  // namespace limber
