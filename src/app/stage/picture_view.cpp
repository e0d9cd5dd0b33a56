// SPDX-License-Identifier: MIT
#include "app/stage/picture_view.h"

#include <cmath>
#include <utility>

#include "app/stage/commands.h"
#include "app/view/reference_camera.h"

namespace limber::app {

namespace {

constexpr const char* kCameraGesture = "camera of the picture";
constexpr const char* kClickedGesture = "camera from the picture";

}  // namespace

bool hasReference(Stage& session) {
  if (shownPicture(session.document())) return true;
  session.fail("There is no reference picture: File > Reference picture opens one");
  return false;
}

std::optional<Eigen::Vector2d> shownPixelAt(const Stage& session, double x, double y) {
  const ReferencePicture* picture = shownPicture(session.document());
  const render::DrawReference& drawn = session.picture.drawList.reference;
  if (!picture || !drawn.file) return std::nullopt;
  const render::Ray ray = render::rayThroughPixel(session.picture.view(), x, y);
  const Eigen::Vector3d ahead = picture->camera.ahead();
  const double along = ahead.dot(drawn.corners[0] - ray.origin) / ahead.dot(ray.direction);
  if (!std::isfinite(along) || along <= 0.0) return std::nullopt;
  const Eigen::Vector2d pixel = picture->camera.project(ray.origin + along * ray.direction);
  return pixel.allFinite() && picture->contains(pixel) ? std::optional(pixel) : std::nullopt;
}

void toggleLookThrough(Stage& session) {
  if (session.picture.camera.through.isOn) return stopLookingThrough(session);
  if (!hasReference(session)) return;
  session.picture.turn.reset();
  session.picture.camera.through = {.isOn = true};
  followReference(session);
}

void stopLookingThrough(Stage& session) { session.picture.camera.through = {}; }

void toggleReference(Stage& session) {
  if (!hasReference(session)) return;
  session.ui.reference.isShown = !session.ui.reference.isShown;
}

void followReference(Stage& session) {
  LookThrough& through = session.picture.camera.through;
  const ReferencePicture* shown = shownPicture(session.document());
  if (!shown) through = {};
  if (session.picture.area.width >= 1.0 && std::exchange(session.ui.reference.isNew, false) && shown) {
    ReferencePicture& placed = *findPicture(session.editor.touch(), shown->id);
    placed.camera = pictureCameraOf(session.picture.view(), placed.size());
    if (placed.isOnPlane()) putOnPlane(placed.camera, placed.size(), referencePivot(session), beyondFigure(session));
    through = {.isOn = true};
  }
  if (!through.isOn) return;
  through.camera = shown->camera;
  through.size = shown->size();
}

void changeShownCamera(Stage& session, const char* label, const std::function<void(PictureCamera&)>& change) {
  session.editor.edit(label, kClickedGesture,
                      [&](Document& document) { change(findPicture(document, document.shownPicture)->camera); });
  followReference(session);
  requestSolve(session);
}

Eigen::Vector3d referencePivot(const Stage& session) {
  return 0.5 * (session.picture.drawList.boundsMin + session.picture.drawList.boundsMax);
}

double beyondFigure(const Stage& session) { return render::kReferenceBeyond * session.picture.drawList.figureSize; }

bool moveReferenceCamera(Stage& session, CameraGesture gesture, double dx, double dy, double x, double y,
                         double zoomSteps) {
  const ReferencePicture* shown = shownPicture(session.document());
  if (!session.picture.camera.through.isOn || !shown) return false;
  const bool turns = gesture == CameraGesture::Orbit || gesture == CameraGesture::Look;
  if (!session.ui.reference.movesCamera) {
    if (turns)
      session.say("the view is locked to the picture: " + keyIn(session, Command::LookThroughReference) +
                      " unlocks it, \"" + std::string(shown->isOnPlane() ? "Move the picture" : "Move the camera") +
                      "\" in the panel turns it with the mouse",
                  4.0);
    return turns;
  }
  const render::View view = session.picture.view();
  const Eigen::Vector3d pivot = referencePivot(session);
  session.editor.edit("move the camera of the picture", kCameraGesture, [&](Document& document) {
    PictureCamera& camera = findPicture(document, document.shownPicture)->camera;
    if (turns) orbitAbout(camera, pivot, dx, dy, view.height);
    else if (gesture == CameraGesture::Pan) slide(camera, pivot, view, dx, dy);
    else approach(camera, pivot, render::rayThroughPixel(view, x, y), std::pow(kZoomPerStep, zoomSteps));
  });
  followReference(session);
  requestSolve(session);
  return true;
}

}  // namespace limber::app
