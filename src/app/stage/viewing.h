// SPDX-License-Identifier: MIT
// Camera control by keys and menus. app/tools/camera_tool.cpp moves the camera with the mouse.
#pragma once

#include "app/stage/stage.h"

namespace limber::app {

/// The camera for a document that opens: a three-quarter view in the present projection; for a planar figure its plane.
Camera homeView(const Stage& session);

/// True while an orthographic view faces the plane of a planar figure. Orbiting then pans, until the user chooses
/// another projection or turns the view by keys.
bool showsPlane(const Stage& session);

// Commands. Each ends the view through a reference picture.

/// Shows the figure from a side; a planar figure only from the front or from behind, since from any other side its
/// plane would be a line.
void lookFrom(Stage& session, render::ViewFrom side);
/// Moves the eye by steps of 15 degrees.
void turnView(Stage& session, double right, double up);
void goHome(Stage& session);
/// Frames the selected links or target with a margin; everything when nothing is selected.
void frameSelection(Stage& session);
void frameEverything(Stage& session);
void switchProjection(Stage& session);

}  // namespace limber::app
