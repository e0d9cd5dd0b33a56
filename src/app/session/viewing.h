// SPDX-License-Identifier: MIT
// Camera control by keys, menus and scrolling.
#pragma once

#include "app/session/session.h"
#include "app/settings/keymap.h"
#include "app/settings/navigation.h"

namespace limber::app {

/// The camera for a document that opens: a three-quarter view in the present projection; for a planar figure its plane.
Camera homeView(const Session& session);

/// True while a planar figure is seen straight at its plane in orthographic projection. Orbiting then pans, until the
/// user chooses another projection or turns the view by keys.
bool showsPlane(const Session& session);

/// Performs a camera action: views, framing, turns, projection. Does nothing for other actions.
void performViewing(Session& session, Action action);

void scrollPicture(Session& session, const WheelTurn& turn);

/// Moves the camera for a mouse movement by (`dx`, `dy`) pixels; a zoom keeps the pixel (`pressX`, `pressY`) in place.
void moveCamera(Session& session, CameraGesture gesture, double dx, double dy, double pressX, double pressY);

}  // namespace limber::app
