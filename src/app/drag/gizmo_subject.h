// SPDX-License-Identifier: MIT
// The gizmo of the selection and its place, as functions of the document.
#pragma once

#include <array>
#include <optional>

#include "app/drag/dragged.h"
#include "limber/kinematics/forward_kinematics.h"
#include "limber/scene/document.h"
#include "render/gizmo_marks.h"

namespace limber::app {

/// The tool that the user has chosen.
struct GizmoTool {
  enum class Kind { Select, Move, Turn };
  Kind kind = Kind::Select;
  bool isLocal = false;                                 ///< gizmos and locks of drags use local axes, not the world's
  Eigen::Matrix3d world = Eigen::Matrix3d::Identity();  ///< columns: the axes in which the world is shown
};

/// The handles on the selection.
struct Gizmo {
  Subject subject = Subject::Joint;
  int id = -1;                               ///< id of a goal or obstacle, else index of a link or joint
  std::array<int, 3> hinges = {-1, -1, -1};  ///< hinge of each ring, if several are at one place; else -1
  render::GizmoMark mark;
};

/// The gizmo of the selection: an obstacle's, else a goal's, else a pin's, link's or joint's; empty if none of them can
/// move. Select shows only the rings of a joint (the arrow of a prismatic one). Move shows arrows on targets, pins,
/// obstacles and, in inverse mode, on links, which they pull. Turn shows rings on every item that has an orientation.
/// `kinematics` are those of document.pose.
std::optional<Gizmo> gizmoOf(const Document& document, const Kinematics& kinematics, const GizmoTool& tool);

/// True for goals whose target frame is turned by rings; that of a swivel turns about its limb alone.
bool hasTargetFrame(const GoalItem& goal);

}  // namespace limber::app
