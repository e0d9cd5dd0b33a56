// SPDX-License-Identifier: MIT
// Marks of joints, pins, paths, feet and the balance, with common helpers; marks of goals are in goal_marks.h. All are
// in the Overlay layer.
#pragma once

#include "render/strokes.h"

namespace limber::render {

// Marks that others are made of: targets, rotation axes (markers.cpp).

/// The length of `count` pixels of a display without scaling, metres; 0 if the view is not known.
double pixels(const Highlight& highlight, double count, const Eigen::Vector3d& place);

/// A target, whose shape shows the same as its colour.
struct TargetMark {
  Eigen::Vector3d target = Eigen::Vector3d::Zero();  ///< world
  Eigen::Vector3d from = Eigen::Vector3d::Zero();    ///< start of the residual's line, world
  Eigen::Vector3d wanted = Eigen::Vector3d::Zero();  ///< its end; no line if both are equal
  double size = 0.1;                                 ///< radius of the ball, metres
  bool met = false;    ///< green ball with a ring; else red ball with a cross and the residual's line
  bool faint = false;  ///< in forward mode
  bool hovered = false;
  bool selected = false;     ///< another ring, in the accent colour
  bool planar = false;       ///< ring and cross in the plane of the figure
  int goal = -1;             ///< id
  Grip grip = Grip::Target;  ///< of the ball
};
void appendTarget(const TargetMark& mark, DrawList& list);

/// Green or red, lighter if hovered, translucent if faint.
Color targetColor(bool met, bool hovered, bool faint);

/// The axes of a joint: one ring for a hinge, three for a ball (x red, y green, z blue), a line for a slide.
void appendRotationAxes(const Figure& figure, const Kinematics& kinematics, int joint, double radius, DrawList& list);

/// The amber ball and ring of a joint at its limit.
void appendLimitMark(const Figure& figure, const Kinematics& kinematics, int joint, double radius, DrawList& list);

// The limits of a joint, drawn exactly as they are enforced: arcs, cones, bars (limit_marks.cpp).

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

/// Appends a padlock next to a locked joint; only its shackle for a free joint that may turn.
void appendLock(const Document& document, const Highlight& highlight, const Eigen::Vector3d& centre, int joint,
                double radius, DrawList& list);

// Padlocks at pinned links (pin_marks.cpp).

/// A pin holds if no point within a link's length of it is off by more than this, in figure sizes.
inline constexpr double kPinTolerance = 1e-4;

/// True if the pin holds. figureSize as in DrawList.
bool isHeld(const Figure& figure, const Kinematics& kinematics, const Pin& pin, double figureSize);

/// Appends closed loops: a ball where the two sides meet, with a ring for a hinge and a square for a weld; both points
/// and the gap between them, in red, if the loop is open.
void appendLoops(const Document& document, const Kinematics& kinematics, const Highlight& highlight, DrawList& list);

/// Appends a padlock at the target of each pinned point: green if it holds; else red, with lines from the point, and
/// from the link's end, to their targets. A ring around it means that the rotation is pinned, too; a padlock without a
/// body that only the rotation is. list.figureSize must be set.
void appendPins(const Document& document, const Kinematics& kinematics, const Highlight& highlight, DrawList& list);

// The paths of targets (path_marks.cpp).

/// Appends the path of every enabled goal that has one: a thin grey line with an arrow at its start. That of the
/// selected goal is in the accent colour, with a ball at each point and a smaller ball in a ring at each handle, joined
/// by dashes; the selected point has another ring. A disabled path is dashed.
void appendPaths(const Document& document, const Highlight& highlight, DrawList& list);

// The feet that a drag keeps on the ground (sole_marks.cpp).

/// Appends the outline of the contact of each held foot with the ground; a small ring if that is a point.
/// list.figureSize must be set.
void appendSoles(const Document& document, const Kinematics& kinematics, const Highlight& highlight, DrawList& list);

// The centre of mass and the support polygon (balance_marks.cpp).

/// Appends the centre of mass as a ball with its plumb line, and the support polygon of the planted feet on the ground.
/// Inside the polygon: blue, with a ring around the foot of the plumb line. Outside: red, with a cross there and a line
/// to the nearest point of the polygon. Nothing for a figure that cannot fall. list.figureSize must be set.
void appendBalance(const Document& document, const Kinematics& kinematics, const Highlight& highlight, DrawList& list);

}  // namespace limber::render
