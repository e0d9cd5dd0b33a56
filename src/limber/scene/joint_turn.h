// SPDX-License-Identifier: MIT
// Joints turned and slid by hand: forward edits that keep within limits, and take along what was asked of the links.
#pragma once

#include "limber/scene/document.h"

namespace limber {

/// Turns a ball or free joint about an axis through its centre (unit, in the joint's frame), radians. Where a limit is
/// in the way it goes along it, as far as the turn leads that way: in turns of a few degrees, each brought inside, so
/// that it never comes out on the other side of a cone. Other joints: no change.
void turnAbout(Document& document, int joint, const Eigen::Vector3d& axisInJoint, double angle);

/// Shifts a free joint, metres along the axes of its joint frame. Other joints: no change.
void shiftFree(Document& document, int joint, const Eigen::Vector3d& wayInJoint);

/// After a forward edit: the targets of goals whose end effector it has moved come along (moveTargetToEndEffector); the
/// others stay what they are. `before`: the document as it was, with the same goals. Returns how many came.
int bringTargetsAlong(const Document& before, Document& document);

}  // namespace limber
