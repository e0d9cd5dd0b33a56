// SPDX-License-Identifier: MIT
// The limits of a joint, drawn at it exactly as they are enforced: arcs, cones, bars.
#pragma once

#include "render/draw_list.h"

namespace limber::render {

/// A coordinate or a swing this near to its bound stands on it: radians or metres. Solvers stop at the bound itself.
inline constexpr double kOnLimitTolerance = 1e-6;

/// True when the document limits the joint.
bool isLimited(const Document& document, int joint);

/// Directions of a ball joint's limits, in its joint frame, unit. `limits` are as in BallLimits.
///
///   onCone    has a swing of limits.swing; `around` goes around the cone's axis, radians
///   atTwist   is carried by the link itself when it has the present swing and that twist: across the turned twist
///             axis. At the present twist it is where the link's own mark stands
Eigen::Vector3d onCone(const BallLimits& limits, double around);
Eigen::Vector3d atTwist(const BallLimits& limits, const Eigen::Quaterniond& rotation, double twist);

/// What the document allows the joint, `radius` metres large, in the accent colour; amber where the joint stands on a
/// bound, with knobs on its needle, or a collar around the limb on the cone.
///
///   hinge   an arc from lower to upper about the axis, and a needle along the limb at the present angle, with a bar
///   slide   a bar from lower to upper, and a ball at the present place
///   ball    a cone about coneAxis with the twist axis as needle, and an arc about that for the twist with a needle
///
/// A bound that is infinite is not drawn; the arc then ends half a turn from the other. No allocation when warm.
void appendLimits(const Document& document, const Kinematics& kinematics, int joint, double radius, DrawList& list);

/// A padlock beside the joint when the document locks it; only its bow when it is a free joint that may still turn.
void appendLock(const Document& document, const Highlight& highlight, const Eigen::Vector3d& centre, int joint,
                double radius, DrawList& list);

}  // namespace limber::render
