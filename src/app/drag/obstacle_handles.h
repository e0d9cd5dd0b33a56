// SPDX-License-Identifier: MIT
// Drags of the knobs that size an obstacle, and new obstacles. An obstacle itself slides like a dragged link (drag.h).
#pragma once

#include <memory>

#include "limber/scene/document.h"
#include "render/draw_list.h"

namespace limber::app {

struct Drag;
struct Press;

/// True for the knobs on an obstacle's sides.
bool isKnob(render::Grip grip);

/// Grabs a knob. The opposite side stays in place; no size falls below a hundredth of its initial value.
std::unique_ptr<Drag> beginKnobDrag(const Document& document, const Obstacle& obstacle, const Press& press);

/// The obstacles that Add creates: a box, a sphere and an upright capsule on the ground before the figure, the ground,
/// and a wall behind. Metres.
Obstacle newBox(double figureSize, double groundHeight);
Obstacle newSphere(double figureSize, double groundHeight);
Obstacle newCapsule(double figureSize, double groundHeight);
Obstacle newFloor(double groundHeight);
Obstacle newWall(double figureSize);

}  // namespace limber::app
