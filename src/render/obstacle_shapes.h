// SPDX-License-Identifier: MIT
// Surfaces of obstacles, and handles of the selected one.
#pragma once

#include "render/draw_list.h"

namespace limber::render {

/// Fills list.props with the surfaces of enabled obstacles: planes as a pane of glass, the others solid. They are
/// remade only if a shape has changed; positions and sizes are matrices, except the size of a capsule. Hovered and
/// selected ones are highlighted; those that the figure penetrates are red. list.figureSize must be set.
void placeObstacles(const Document& document, const Highlight& highlight, DrawList& list);

/// Appends the outline of planes, as a pane on the ground is invisible; for the selected obstacle its edges (of a
/// sphere or capsule those of the box around it), a knob on each of six sides (not for a plane) and an arrow that lifts
/// it; and a cross at obstacles that the figure penetrates.
void appendObstacleMarks(const Document& document, const Highlight& highlight, DrawList& list);

/// The centre of a side of the obstacle's own box, and its outward normal, world. grip: SizeLowX to SizeHighZ.
struct ObstacleKnob {
  Grip grip = Grip::None;
  Eigen::Vector3d place, outward;
};
/// Six knobs, on the box around a sphere or capsule; none for a plane.
std::vector<ObstacleKnob> knobsOf(const Obstacle& obstacle);

}  // namespace limber::render
