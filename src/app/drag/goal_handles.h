// SPDX-License-Identifier: MIT
// Drags of the handles on a goal's mark: tips set directions, washers set distances. A target's ball moves like a
// dragged link instead, and rings turn like those of a gizmo (drag.h).
#pragma once

#include <Eigen/Core>
#include <optional>

#include "app/view/picking.h"
#include "limber/scene/document.h"
#include "render/view.h"

namespace limber::app {

/// True if the goal has a target that can be dragged.
bool hasMovableTarget(const GoalItem& goal);

/// True when dragging what was hit does something: a link always, a mark that only selects its goal never.
bool isDraggable(const Document& document, const Hit& hit);

/// The centre of a goal's rings, world: its target, or the end effector if the goal asks for no position.
Eigen::Vector3d turnCentreOf(const Document& document, const Kinematics& kinematics, const GoalItem& goal);

/// A handle that is dragged.
struct Handle {
  enum class Kind {
    Point,   ///< turns about `centre` like a ball of radius |from - centre| under the cursor
    Length,  ///< sets the distance from `centre` along `axis`
  };
  Kind kind = Kind::Point;
  render::Grip grip = render::Grip::None;
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();  ///< world
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();   ///< Length: unit
  Eigen::Vector3d from = Eigen::Vector3d::UnitX();   ///< Point: the grabbed point; world
  bool isBehind = false;                             ///< Point: grabbed on the far side of the ball
  double offset = 0.0;                               ///< Length: from the cursor to the bound, metres
  GoalItem before;                                   ///< the goal at mouse-down
};

/// Grabs what was hit at pixel (x, y); nothing if it is no tip or washer of a goal, or is seen so that the cursor
/// cannot move it. `kinematics` are those of document.pose.
std::optional<Handle> takeHandle(const Document& document, const Kinematics& kinematics, const Hit& hit,
                                 const render::View& view, double x, double y);

/// Sets the goal to its state at mouse-down, turned or stretched to pixel (x, y); the grabbed pixel leaves it
/// unchanged. Returns false if the cursor's ray gives no direction or distance, and then changes nothing.
bool moveHandle(const Handle& handle, const render::View& view, double x, double y, GoalItem& goal);

}  // namespace limber::app
