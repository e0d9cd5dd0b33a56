// SPDX-License-Identifier: MIT
// The gizmo of the selection, with arrows and squares that move it and rings that turn it, of constant size on the
// screen; and the line of a drag that is locked to an axis.
#pragma once

#include <array>

#include "render/draw_list.h"

namespace limber::render {

/// The parts of a gizmo and their state.
struct GizmoMark {
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();           ///< world
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();         ///< as columns, unit; world
  std::array<bool, 3> arrows = {}, squares = {}, rings = {};  ///< along and across each axis, about each axis
  bool viewRing = false;                                      ///< the ring that faces the eye
  bool isJoint = false;   ///< one ring or arrow, about the joint's own axis, in the accent colour
  Grip lit = Grip::None;  ///< the part under the cursor or being dragged
  bool isHeld = false;    ///< `lit` is being dragged; the other parts are faint
  double turned = 0.0;    ///< turn of the dragged ring, radians
  Eigen::Vector3d from = Eigen::Vector3d::Zero();   ///< from the centre to the grabbed point; zero for none
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();  ///< about which it turns
};

inline constexpr double kGizmoPixels = 74.0;  ///< length of an arrow and radius of a ring, on a display without scaling

/// Unit vector from a point to the eye, against the line of sight.
Eigen::Vector3d towardsEye(const View& view, const Eigen::Vector3d& point);

/// The point on the line of sight through a point that is so close to the eye that nothing hides it; and its inverse.
Eigen::Vector3d inFront(const View& view, const Eigen::Vector3d& point);
Eigen::Vector3d backInPlace(const View& view, const Eigen::Vector3d& point);

/// Appends the gizmo in front of everything else (inFront). Arrows seen end on and squares seen edge on, which could
/// not be dragged, are omitted. The far half of a ring that is seen at an angle is faint and cannot be grabbed.
void appendGizmo(const GizmoMark& mark, const View& view, double displayScale, DrawList& list);

/// Appends the line through a point to which a drag is locked, in the colour of its axis (0 to 2).
void appendLockLine(const Eigen::Vector3d& point, const Eigen::Vector3d& along, int axis, const View& view,
                    double displayScale, DrawList& list);

}  // namespace limber::render
