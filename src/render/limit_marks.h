// SPDX-License-Identifier: MIT
// The limits of a joint, drawn exactly as they are enforced: arcs, cones, bars.
#pragma once

#include "render/draw_list.h"

namespace limber::render {

/// Distance from a bound at which a joint counts as at its limit, radians or metres. Solvers stop at the bound itself.
inline constexpr double kOnLimitTolerance = 1e-6;

/// True if the document limits the joint.
bool isLimited(const Document& document, int joint);

/// Directions of a ball joint's limits, joint frame, unit:
///
///   onCone    a twist axis with a swing of limits.swing, at the angle `around` about the cone's axis, radians
///   atTwist   a direction fixed to the link and normal to its twist axis, at the swing of `rotation` and this twist
Eigen::Vector3d onCone(const BallLimits& limits, double around);
Eigen::Vector3d atTwist(const BallLimits& limits, const Eigen::Quaterniond& rotation, double twist);

/// Appends the joint's limits with a radius in metres, in the accent colour; amber where the joint is at a bound, with
/// knobs on its needle or a collar around the limb on the cone.
///
///   hinge   an arc from lower to upper about the axis, and a needle along the limb at the current angle, with a bar
///   slide   a bar from lower to upper, and a ball at the current position
///   ball    a cone about coneAxis with the twist axis as needle, and an arc with a needle about it for the twist
///
/// An infinite bound is not drawn; the arc then ends half a turn from the other bound.
void appendLimits(const Document& document, const Kinematics& kinematics, int joint, double radius, DrawList& list);

/// Appends a padlock beside a locked joint; only its shackle for a free joint that may turn.
void appendLock(const Document& document, const Highlight& highlight, const Eigen::Vector3d& centre, int joint,
                double radius, DrawList& list);

}  // namespace limber::render
