// SPDX-License-Identifier: MIT
// Sizes read off a figure's limbs: how large its joints and marks must be to show, and where a bone ends.
#pragma once

#include "limber/kinematics/forward_kinematics.h"

namespace limber::render {

/// The thinnest capsule of a limb: of the link, or of the first below it that has any; 0 when there is none.
double limbRadius(const Figure& figure, int link);

/// True for joints that show a ball: those that move and do not carry the whole figure.
bool showsBall(const Figure& figure, int joint);

/// A ball that shows between two limbs that meet at the joint, and hides in the limb where only one ends there. A
/// trunk, much thicker than the limb, does not count.
double jointRadius(const Figure& figure, int joint);

/// True when a joint before it (its parent, a sibling) already shows a ball on the same point.
bool standsOnShownJoint(const Figure& figure, int joint);

/// Where the link ends, in its frame: at the first child joint that stands away from its origin, else at the end of
/// its capsules that is farthest from it; the origin for a link without extent.
Eigen::Vector3d boneEnd(const Figure& figure, int link);

/// Where the limb below a joint goes, in the world: past joints that stand on the same point. Zero without a limb.
Eigen::Vector3d limbVector(const Figure& figure, const Kinematics& kinematics, int joint);

/// Nothing of the link is farther from its origin than this.
double linkReach(const Link& link);

}  // namespace limber::render
