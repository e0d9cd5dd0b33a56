// SPDX-License-Identifier: MIT
// Camera control by keys, menus and scrolling.
#pragma once

#include "app/session/session.h"
#include "app/settings/navigation.h"

namespace limber::app {

/// The camera for a document that opens: a three-quarter view in the present projection; for a planar figure its plane.
Camera homeView(const Session& session);

/// True while a planar figure is seen straight at its plane in orthographic projection. Orbiting then pans, until the
/// user chooses another projection or turns the view by keys.
bool showsPlane(const Session& session);

// Commands. Each ends the view through a reference picture.

/// Shows the figure from a side; a planar figure only from the front or from behind, since from any other side its
/// plane would be a line.
void lookFrom(Session& session, render::ViewFrom side);
/// Moves the eye by steps of 15 degrees.
void turnView(Session& session, double right, double up);
void goHome(Session& session);
/// Frames the selected links or target with a margin; everything when nothing is selected.
void frameSelection(Session& session);
void frameEverything(Session& session);
void switchProjection(Session& session);

void scrollPicture(Session& session, const WheelTurn& turn);

/// Moves the camera for a mouse movement by (`dx`, `dy`) pixels; a zoom keeps the pixel (`pressX`, `pressY`) in place.
void moveCamera(Session& session, CameraGesture gesture, double dx, double dy, double pressX, double pressY);

}  // namespace limber::app
