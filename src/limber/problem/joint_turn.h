// SPDX-License-Identifier: MIT
// Forward edits: turning and sliding joints within their limits, with the targets of goals moved along.
#pragma once

#include "limber/problem/ik_problem.h"

namespace limber {

/// Adds `amount` (radians, or metres for a prismatic joint) to one coordinate of a joint, within its limits.
/// `coordinate` counts the joint's step coordinates; of a ball or free joint it is a turn about, or a shift along, an
/// axis of the link. A follower moves its drivers instead, by the smallest step that moves the follower that far to
/// first order. Linear limits and the limits of followers also stop the joint.
void turnJoint(IkProblem& problem, int joint, int coordinate, double amount);

/// Turns a ball or free joint about an axis through its centre (unit, in the joint's frame), radians. At a limit the
/// joint slides along the limit. The turn is made in steps of a few degrees, each clamped to the limits, so that it
/// never crosses to the other side of a cone. Other joints: no change.
void turnAbout(IkProblem& problem, int joint, const Eigen::Vector3d& axisInJoint, double angle);

/// Shifts a free joint, metres along the axes of its joint frame. Other joints: no change.
void shiftFree(IkProblem& problem, int joint, const Eigen::Vector3d& wayInJoint);

/// After a forward edit: moves the targets of goals whose end effectors the edit has moved (moveTargetToEndEffector);
/// other targets stay. `before` is the problem before the edit, with the same goals. Returns the number of moved
/// targets.
int bringTargetsAlong(const IkProblem& before, IkProblem& problem);

}  // namespace limber
