// SPDX-License-Identifier: MIT
// Sizes derived from a figure's limbs: radii of joints and marks that are visible, and ends of bones.
#pragma once

#include "limber/kinematics/forward_kinematics.h"

namespace limber::render {

/// Radius of the thinnest capsule of a link, or of the first one below it with capsules; 0 without capsules.
double limbRadius(const Figure& figure, int link);

/// True for joints that are drawn as a ball: those that move, but not the whole figure.
bool showsBall(const Figure& figure, int joint);

/// Radius of a joint's ball: visible between two limbs that meet at the joint, hidden inside a single limb that ends
/// there. A trunk, much thicker than the limb, does not count.
double jointRadius(const Figure& figure, int joint);

/// True if a joint before it (its parent or a sibling) is drawn as a ball at the same point.
bool standsOnShownJoint(const Figure& figure, int joint);

/// The end of a link, in its frame: its first child joint away from its origin, else the end of its capsules that is
/// farthest from it; the origin for a link without extent.
Eigen::Vector3d boneEnd(const Figure& figure, int link);

/// The vector from a joint to the end of the limb below it, in the world, skipping joints at the same point. Zero
/// without a limb.
Eigen::Vector3d limbVector(const Figure& figure, const Kinematics& kinematics, int joint);

/// Largest distance of a link's capsules from its origin.
double linkReach(const Link& link);

}  // namespace limber::render
