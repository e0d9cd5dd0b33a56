// SPDX-License-Identifier: MIT
// Obstacles in the picture: their surfaces, and the handles of the one that is selected.
#pragma once

#include "render/draw_list.h"

namespace limber::render {

/// Fills list.props: the surfaces of the enabled obstacles, boxes and polyhedra solid, planes as a pane of glass. They
/// are made anew only when a shape has changed; places and sizes are matrices. Lit up: under the cursor, selected; red:
/// what the figure is in. `list` knows the figure's size.
void placeObstacles(const Document& document, const Highlight& highlight, DrawList& list);

/// The outline of planes, since a pane that lies on the ground shows nothing; and for the selected obstacle its edges,
/// a knob on each of six sides (not of a plane) and an arrow that lifts it. A cross where the figure is inside.
void appendObstacleMarks(const Document& document, const Highlight& highlight, DrawList& list);

/// The middle of a side of the obstacle's own box and the way out of it, world. grip: SizeLowX to SizeHighZ.
struct ObstacleKnob {
  Grip grip = Grip::None;
  Eigen::Vector3d place, outward;
};
/// Six of a box or polyhedron, none of a plane.
std::vector<ObstacleKnob> knobsOf(const Obstacle& obstacle);

}  // namespace limber::render
