// SPDX-License-Identifier: MIT
// Which gizmo what is selected has, and where it stands. Functions of the document.
#pragma once

#include <array>
#include <optional>

#include "limber/kinematics/forward_kinematics.h"
#include "limber/scene/document.h"
#include "render/gizmo_marks.h"

namespace limber::app {

/// What the hand works with.
struct GizmoTool {
  enum class Kind { Select, Move, Turn };
  Kind kind = Kind::Select;
  bool isLocal = false;  ///< axes of what is selected, not the world's: of gizmos, and of the locks of a drag
};

/// What a drag moves or turns.
enum class Subject {
  Link,       ///< pulled by inverse kinematics
  Goal,       ///< its target, or the frame asked for
  PathPoint,  ///< of the path of a goal's target
  Pin,        ///< the place where a link is pinned
  Obstacle,
  Joint,      ///< turned or slid itself: forward kinematics
};

struct Gizmo {
  Subject subject = Subject::Joint;
  int id = -1;  ///< of a goal or obstacle; else the link or joint
  std::array<int, 3> hinges = {-1, -1, -1};  ///< of a joint made of several at one place: each ring's own
  render::GizmoMark mark;
};

/// The gizmo of the selection: an obstacle's, else a goal's, else a pin's or a joint's. With Select a joint has the
/// rings that it turns about (a slide its arrow) and nothing else has any. Move gives arrows to targets, pinned places,
/// obstacles and, in inverse mode, to links, which it pulls; Turn gives rings to all that has a direction. Nothing
/// where there is nothing to move. `kinematics` are those of document.pose.
std::optional<Gizmo> gizmoOf(const Document& document, const Kinematics& kinematics, const GizmoTool& tool);

/// The axes of what is dragged, as columns in the world: what "local" means for it. `id` is as in Gizmo.
Eigen::Matrix3d ownAxesOf(const Document& document, const Kinematics& kinematics, Subject subject, int id);

/// True for goals that ask for a direction.
bool hasTargetFrame(const GoalItem& goal);

}  // namespace limber::app
