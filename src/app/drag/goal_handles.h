// SPDX-License-Identifier: MIT
// The handles of a goal's mark, dragged: tips that point it, washers that set a distance. A target's ball moves like a
// dragged link instead, and rings turn like those of a gizmo (drag.h). Functions of numbers.
#pragma once

#include <Eigen/Core>
#include <optional>

#include "app/view/picking.h"
#include "limber/scene/document.h"
#include "render/view.h"

namespace limber::app {

/// True when a goal of this type has a target that a hand can move.
bool hasMovableTarget(const GoalItem& goal);

/// True when dragging what was hit does something: a link always, a mark that only selects its goal never.
bool isDraggable(const Document& document, const Hit& hit);

/// Where a goal's frame stands, and its rings are: at its target, or at the end effector where it asks for no place.
Eigen::Vector3d turnCentreOf(const Document& document, const Kinematics& kinematics, const GoalItem& goal);

/// A handle in hand.
struct Handle {
  enum class Kind {
    Point,   ///< about `centre`, as a ball of radius |from - centre| under the cursor turns
    Length,  ///< the distance along `axis` from `centre`
  };
  Kind kind = Kind::Point;
  render::Grip grip = render::Grip::None;
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();  ///< world
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();   ///< Length: unit
  Eigen::Vector3d from = Eigen::Vector3d::UnitX();   ///< Point: what the cursor took hold of; world
  bool isBehind = false;                             ///< Point: it was taken on the far side of the ball
  double offset = 0.0;                               ///< Length: from the cursor to the bound, metres
  GoalItem before;                                   ///< the goal at mouse-down
};

/// Takes hold of what was hit at pixel (x, y); nothing when it is no tip or washer of a goal, or seen so that no
/// movement of the cursor would mean anything. `kinematics` are those of document.pose.
std::optional<Handle> takeHandle(const Document& document, const Kinematics& kinematics, const Hit& hit,
                                 const render::View& view, double x, double y);

/// Sets the goal to how it was at mouse-down, turned or stretched to pixel (x, y). At the pixel where the handle was
/// taken it is as before. False, and nothing changes, when the cursor's ray says nothing.
bool moveHandle(const Handle& handle, const render::View& view, double x, double y, GoalItem& goal);

}  // namespace limber::app
