// SPDX-License-Identifier: MIT
// Finds the camera of the shown picture from edges of two perpendicular directions, or from a figure that stands
// upright, both clicked by the user (limber/vision/camera_from_picture.h).
#pragma once

#include <array>
#include <string>

#include "app/session/session.h"
#include "limber/vision/camera_from_picture.h"

namespace limber::app {

/// Looks through the camera, and waits for clicks in the picture.
void startShowingCamera(Session& session, Planting::Clicks clicks);

/// Takes a click at the cursor: an end of an edge, the ground, or the top of the head. The camera changes once the
/// clicks determine it.
void showCamera(Session& session);
/// True while the user clicks edges or a standing figure.
bool showsCamera(const Session& session);
std::string cameraHint(const Planting& planting);

/// Begins an edge where the mouse was pressed, or grabs the end that is there. False if no edges are being drawn.
bool startSketching(Session& session);
/// Moves the grabbed end to the cursor.
void sketch(Session& session);

/// Both ends of an edge in pixels of the window, and which of the two directions it has.
struct ShownEdge {
  std::array<Eigen::Vector2d, 2> ends;
  int direction = 0;  ///< 0 or 1
};
/// The edges that are drawn, for the window.
std::vector<ShownEdge> shownEdges(const Session& session);

}  // namespace limber::app
