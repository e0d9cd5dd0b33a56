// SPDX-License-Identifier: MIT
// The camera of the shown picture from what the user shows in it: edges of two directions that are at right angles, or
// a figure that stands upright (limber/problem/camera_from_picture.h).
#pragma once

#include <array>
#include <string>

#include "app/session/session.h"
#include "limber/problem/camera_from_picture.h"

namespace limber::app {

/// Looks through the camera, and waits for clicks in the picture.
void startShowingCamera(Session& session, Planting::Clicks clicks);

/// Takes a click at the cursor: an end of an edge, the ground, or the top of the head. The camera follows as soon as it
/// is told.
void showCamera(Session& session);
/// True while clicks in the picture tell its camera.
bool showsCamera(const Session& session);
std::string cameraHint(const Planting& planting);

/// Begins an edge where the mouse was pressed, or takes the end that is there into the hand. False where no edges are
/// drawn.
bool startSketching(Session& session);
/// Moves the end in the hand to the cursor.
void sketch(Session& session);

/// The pixels of the window where both ends of an edge are, and whether one of them is in the hand.
struct ShownEdge {
  std::array<Eigen::Vector2d, 2> ends;
  int direction = 0;  ///< 0 or 1
};
/// The edges that are drawn, for the window.
std::vector<ShownEdge> shownEdges(const Session& session);

}  // namespace limber::app
