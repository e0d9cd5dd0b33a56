// SPDX-License-Identifier: MIT
// Camera control by keys and menus. app/tools/camera_tool.cpp moves the camera with the mouse.
#pragma once

#include "app/settings/keymap.h"
#include "app/stage/stage.h"

namespace limber::app {

/// The camera for a document that opens: a three-quarter view in the present projection; for a planar figure its plane.
Camera homeView(const Stage& session);

/// True while a planar figure is seen straight at its plane in orthographic projection. Orbiting then pans, until the
/// user chooses another projection or turns the view by keys.
bool showsPlane(const Stage& session);

/// Performs a camera action: views, framing, turns, projection. Does nothing for other actions.
void performViewing(Stage& session, Action action);

}  // namespace limber::app
