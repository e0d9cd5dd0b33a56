// SPDX-License-Identifier: MIT
// The gizmo on what is selected: arrows and squares that move it, rings that turn it; and the lines along which a drag
// is locked. As large on the screen wherever it stands.
#pragma once

#include <array>

#include "render/draw_list.h"

namespace limber::render {

/// What of a gizmo there is, and how it is held.
struct GizmoMark {
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();      ///< world
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();    ///< as columns, unit; world
  std::array<bool, 3> arrows = {}, squares = {}, rings = {};  ///< along and across each axis, about each axis
  bool viewRing = false;       ///< the one that faces the eye
  bool isJoint = false;        ///< one ring or arrow, in the accent colour: the axis is the joint's own
  Grip lit = Grip::None;       ///< under the cursor or in hand
  bool isHeld = false;         ///< in hand: the other parts are faint
  double turned = 0.0;         ///< by the ring in hand, radians
  Eigen::Vector3d from = Eigen::Vector3d::Zero();        ///< from the centre to where the ring was taken; zero for none
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();       ///< that it turns about
};

inline constexpr double kGizmoPixels = 74.0;  ///< length of an arrow and radius of a ring, on a plain display

/// The direction from a point to the eye, unit: against the line of sight through it.
Eigen::Vector3d towardsEye(const View& view, const Eigen::Vector3d& point);

/// Where a point would look the same, but so close to the eye that nothing is before it; and back from there.
Eigen::Vector3d inFront(const View& view, const Eigen::Vector3d& point);
Eigen::Vector3d backInPlace(const View& view, const Eigen::Vector3d& point);

/// What is seen end on or edge on, and so could not be moved, is left out: arrows that point at the eye, squares that
/// are lines. The far half of a ring that is seen at a slant is faint and has no grip. It stands before all else, as if
/// it were close to the eye (inFront).
void appendGizmo(const GizmoMark& mark, const View& view, double displayScale, DrawList& list);

/// The line through a point along which a drag is locked, in the colour of its axis (0 to 2), right across the scene.
void appendLockLine(const Eigen::Vector3d& point, const Eigen::Vector3d& along, int axis, const View& view,
                    double displayScale, DrawList& list);

}  // namespace limber::render
