// SPDX-License-Identifier: MIT
// The view through the camera of the shown reference picture, and moving that camera.
#pragma once

#include <functional>
#include <optional>

#include "app/settings/navigation.h"
#include "app/stage/stage.h"

namespace limber::app {

/// True if a picture is shown; otherwise a message says where to open one.
bool hasReference(Stage& session);
/// The pixel of the shown picture at a place of the window; empty outside the part that is not cropped.
std::optional<Eigen::Vector2d> shownPixelAt(const Stage& session, double x, double y);

/// Starts or stops looking through the camera of the shown picture.
void toggleLookThrough(Stage& session);
void stopLookingThrough(Stage& session);
/// Shows or hides the shown picture.
void toggleReference(Stage& session);

/// Keeps the view at the shown picture's camera while it is looked through, and gives a new picture the camera of the
/// present view. refreshScene() calls it.
void followReference(Stage& session);

/// In the view through a picture's camera, moves that camera by a mouse movement (dx, dy), or zooms by wheel steps
/// toward the pixel (x, y). While the camera is locked (ReferenceState::movesCamera), turning only shows a message.
/// False if the gesture moves figure and picture on the screen instead, as pan and zoom do while it is locked.
bool moveReferenceCamera(Stage& session, CameraGesture gesture, double dx, double dy, double x, double y,
                         double zoomSteps);

/// Changes the camera of the shown picture, in one undo step with the preceding changes.
void changeShownCamera(Stage& session, const char* label, const std::function<void(PictureCamera&)>& change);

/// The point about which a picture's camera turns and approaches: the middle of the figure.
Eigen::Vector3d referencePivot(const Stage& session);
/// How far beyond that point a picture is drawn, metres.
double beyondFigure(const Stage& session);

}  // namespace limber::app
