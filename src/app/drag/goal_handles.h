// SPDX-License-Identifier: MIT
// Drags of the handles on a goal's mark: tips set directions, washers set distances. A target's ball moves like a
// dragged link instead, and rings turn like those of a gizmo (drag.h).
#pragma once

#include <Eigen/Core>
#include <memory>

#include "app/view/picking.h"
#include "limber/scene/document.h"

namespace limber::app {

struct Drag;
struct Press;

/// True if the goal has a target that can be dragged.
bool hasMovableTarget(const GoalItem& goal);

/// True if a drag of the hit item has an effect: always for links, never for marks that only select their goal.
bool isDraggable(const Document& document, const Hit& hit);

/// The centre of a goal's rings, world: its target, or the end effector if the goal asks for no position.
Eigen::Vector3d turnCentreOf(const Document& document, const Kinematics& kinematics, const GoalItem& goal);

/// Grabs the tip or washer of a goal that was hit: a tip turns the target frame like a ball under the cursor, a washer
/// sets a bound of the distance. The drag has no effect if the view direction does not let the cursor move the handle.
std::unique_ptr<Drag> beginHandleDrag(const Document& document, const Kinematics& kinematics, const Hit& hit,
                                      const Press& press);

}  // namespace limber::app
