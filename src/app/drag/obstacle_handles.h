// SPDX-License-Identifier: MIT
// Drags of the knobs that size an obstacle, and new obstacles. An obstacle itself slides like a dragged link (drag.h).
#pragma once

#include <Eigen/Core>
#include <optional>

#include "app/view/gizmo.h"
#include "app/view/picking.h"
#include "limber/scene/document.h"
#include "render/view.h"

namespace limber::app {

/// A knob that is dragged.
struct ObstacleHold {
  render::Grip grip = render::Grip::None;
  Obstacle before;  ///< at mouse-down
  Slide slide;      ///< of the knob, along the outward normal of its side
};

/// Grabs the knob that was hit at pixel (x, y); nothing if something else was hit.
std::optional<ObstacleHold> takeObstacle(const Document& document, const Hit& hit, const render::View& view, double x,
                                         double y);

/// Sets the obstacle to its state at mouse-down, sized to pixel (x, y); the side opposite to the knob stays. No size
/// falls below a hundredth of what it was. Returns false if the cursor's ray gives no place, and then changes nothing.
bool moveObstacle(const ObstacleHold& hold, const render::View& view, double x, double y, Obstacle& obstacle);

/// The obstacles that Add creates: a box on the ground before the figure, the ground, and a wall behind. Metres.
Obstacle newBox(double figureSize, double groundHeight);
Obstacle newFloor(double groundHeight);
Obstacle newWall(double figureSize);

}  // namespace limber::app
