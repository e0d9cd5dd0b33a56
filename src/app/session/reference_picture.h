// SPDX-License-Identifier: MIT
// Reference pictures in the window: opening one, looking through its camera, moving that camera, and marking where the
// picture shows the joints of the figure. What else the picture shows tells its camera (picture_camera.h).
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "app/session/session.h"
#include "app/settings/navigation.h"

namespace limber::app {

/// Adds the picture of a file to the document, seen by the present camera, and looks through that.
void openReference(Session& session, const std::filesystem::path& path);

/// The same for text from the clipboard that is a data URI, or the path or file:// URI of a picture; false for other
/// text. The scene keeps what is pasted as data.
bool pasteReference(Session& session, const std::string& text);

/// Looks through the camera of the shown picture, or no longer.
void toggleLookThrough(Session& session);
void stopLookingThrough(Session& session);
/// Shows or hides the shown picture.
void toggleReference(Session& session);

/// Keeps the view at the shown picture's camera while it is looked through, and gives a new picture the camera of the
/// present view. refreshScene() calls it.
void followReference(Session& session);

/// Moves the camera of the picture that is looked through by a movement of the mouse (dx, dy), or zooms by steps of the
/// wheel toward the pixel (x, y); says it where the camera is locked. False where the gesture moves figure and picture
/// on the screen instead, as pan and zoom do while it is locked.
bool moveReferenceCamera(Session& session, CameraGesture gesture, double dx, double dy, double x, double y,
                         double zoomSteps);

/// The point about which a picture's camera turns and approaches: the middle of the figure.
Eigen::Vector3d referencePivot(const Session& session);
/// How far beyond that point a picture is drawn, metres.
double beyondFigure(const Session& session);

void carryOutReference(Session& session, ReferenceWish wish);

/// True where a picture is shown; says where to open one otherwise.
bool hasReference(Session& session);
/// The pixel of the shown picture that is at a place of the window, where the picture shows something.
std::optional<Eigen::Vector2d> shownPixelAt(const Session& session, double x, double y);

/// Takes a click while the picture waits for it (Planting::isInPicture).
void clickPicture(Session& session, const std::optional<Hit>& hit);
/// The prompt for the next click: "Click the left elbow in the picture (4 of 15).".
std::string pictureHint(const Planting& planting);

}  // namespace limber::app
