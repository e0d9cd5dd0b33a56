// SPDX-License-Identifier: MIT
// The handles of a goal's mark, dragged: rings that turn its frame, tips that point it, washers that set a distance. A
// target's ball moves like a dragged link instead (drag.h). Functions of numbers.
#pragma once

#include <Eigen/Core>
#include <optional>

#include "app/picking.h"
#include "render/view.h"
#include "scene/document.h"

namespace limber::app {

/// True when a goal of this type has a target that a hand can move.
bool hasMovableTarget(const GoalItem& goal);

/// True when dragging what was hit does something: a link always, a mark that only selects its goal never.
bool isDraggable(const Document& document, const Hit& hit);

/// A handle in hand.
struct Handle {
  enum class Kind {
    Turn,      ///< about `axis` through `centre`, by the angle in the plane across it
    TurnEdge,  ///< the same with that plane seen edge on: by the way along the ring at `from`
    Point,     ///< about `centre`, as a ball of radius |from - centre| under the cursor turns
    Length,    ///< the distance along `axis` from `centre`
  };
  Kind kind = Kind::Turn;
  render::Grip grip = render::Grip::None;
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();  ///< world
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();   ///< unit
  Eigen::Vector3d from = Eigen::Vector3d::UnitX();   ///< what the cursor took hold of, on the handle; world
  bool isBehind = false;                             ///< Point: it was taken on the far side of the ball
  double offset = 0.0;                               ///< Length: from the cursor to the bound, metres
  GoalItem before;                                   ///< the goal at mouse-down
};

/// Takes hold of what was hit at pixel (x, y); nothing when it is no handle of a goal, or seen so that no movement of
/// the cursor would mean anything. `kinematics` are those of document.pose.
std::optional<Handle> takeHandle(const Document& document, const Kinematics& kinematics, const Hit& hit,
                                 const render::View& view, double x, double y);

/// Sets the goal to how it was at mouse-down, turned or stretched to pixel (x, y). At the pixel where the handle was
/// taken it is as before. False, and nothing changes, when the cursor's ray says nothing.
bool moveHandle(const Handle& handle, const render::View& view, double x, double y, GoalItem& goal);

}  // namespace limber::app
