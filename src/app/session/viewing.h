// SPDX-License-Identifier: MIT
// What keys, menus and scrolling do to the camera.
#pragma once

#include "app/session/session.h"
#include "app/settings/keymap.h"
#include "app/settings/navigation.h"

namespace limber::app {

/// How a document opens: from three quarters in the present projection or, planar, as its plane.
Camera homeView(const Session& session);

/// True while a planar figure is shown as its plane: straight and in parallel projection. What would orbit pans, until
/// another projection or a turn in steps is asked for.
bool showsPlane(const Session& session);

/// Views, framing, turns in steps, the projection; false for actions of another kind.
bool performViewing(Session& session, Action action);

/// Scrolling over the picture.
void scrollPicture(Session& session, const WheelTurn& turn);

/// A movement of the mouse, from where the pointer stands; `pressX` and `pressY` are what a zoom keeps in place.
void moveCamera(Session& session, CameraGesture gesture, double dx, double dy, double pressX, double pressY);

}  // namespace limber::app
