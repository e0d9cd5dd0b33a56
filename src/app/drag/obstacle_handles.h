// SPDX-License-Identifier: MIT
// Obstacles in the hand: sized by the knobs on their sides. Their body slides like a dragged link (drag.h).
#pragma once

#include <Eigen/Core>
#include <optional>

#include "app/view/gizmo.h"
#include "app/view/picking.h"
#include "limber/scene/document.h"
#include "render/view.h"

namespace limber::app {

/// A knob in hand.
struct ObstacleHold {
  render::Grip grip = render::Grip::None;
  Obstacle before;  ///< at mouse-down
  Slide slide;      ///< of the knob, out of its side
};

/// Takes hold of the knob that was hit at pixel (x, y); nothing when something else was.
std::optional<ObstacleHold> takeObstacle(const Document& document, const Hit& hit, const render::View& view, double x,
                                         double y);

/// Sets the obstacle to how it was at mouse-down, sized to pixel (x, y); the side across from the knob stays. No size
/// falls below a hundredth of what it was. False, and nothing changes, when the cursor's ray says nothing.
bool moveObstacle(const ObstacleHold& hold, const render::View& view, double x, double y, Obstacle& obstacle);

/// Of the size of a figure, standing on the ground before it: what Add gives. `figureSize` in metres.
Obstacle newBox(double figureSize, double groundHeight);
Obstacle newFloor(double groundHeight);
Obstacle newWall(double figureSize);

}  // namespace limber::app
