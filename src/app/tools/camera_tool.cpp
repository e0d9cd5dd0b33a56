// SPDX-License-Identifier: MIT
// Moves the camera, or that of the reference picture, by a mouse button or by scrolling.
#include <utility>

#include "app/stage/picture_view.h"
#include "app/stage/viewing.h"
#include "app/tools/tools.h"

namespace limber::app {

namespace {

constexpr double kZoomPixelsPerStep = 20.0;  // pixels of a zooming drag for one wheel step
constexpr double kPixelsPerScroll = 30.0;    // pixels that one wheel step of two fingers pans by

/// Keeps the camera above the floor after a movement of the mouse; the keys may look from below.
void stopAtFloor(Stage& stage, const Camera& before, CameraGesture gesture) {
  const render::DrawList& list = stage.picture.drawList;
  if (!list.showGround || list.planar || gesture == CameraGesture::Look) return;
  if (keepAboveFloor(stage.picture.camera, before, list.groundHeight, gesture == CameraGesture::Pan))
    stage.say("the view stops at the floor: " + keyIn(stage, Command::ViewBottom) + " looks from below", 2.0);
}

/// Moves the camera by pixels, or zooms by steps of the wheel so that the pixel `at` stays in place.
void moveCamera(Stage& stage, CameraGesture gesture, const Eigen::Vector2d& by, double zoomSteps,
                const Eigen::Vector2d& at) {
  if (moveReferenceCamera(stage, gesture, by.x(), by.y(), at.x(), at.y(), zoomSteps)) return;
  stage.picture.turn.reset();  // the gesture continues from where the animation is
  Camera& camera = stage.picture.camera;
  const Camera before = camera;
  if (showsPlane(stage) && (gesture == CameraGesture::Orbit || gesture == CameraGesture::Look)) {
    gesture = CameraGesture::Pan;
    if (!std::exchange(stage.ui.toldOfPlane, true))
      stage.say("the plane is shown flat: " + keyIn(stage, Command::ToggleOrthographic) + " lets drags orbit");
  }
  const int width = static_cast<int>(stage.picture.area.width), height = static_cast<int>(stage.picture.area.height);
  switch (gesture) {
    case CameraGesture::Orbit: orbit(camera, by.x(), by.y(), height); break;
    case CameraGesture::Pan: pan(camera, by.x(), by.y(), width, height); break;
    case CameraGesture::Zoom: zoom(camera, zoomSteps, at.x(), at.y(), width, height); break;
    case CameraGesture::Look: look(camera, by.x(), by.y(), height); break;
  }
  stopAtFloor(stage, before, gesture);
}

struct CameraTool : Tool {
  explicit CameraTool(CameraGesture wanted) : gesture_(wanted) {}

  void move(Stage& stage, const Modifiers&, const Eigen::Vector2d& by) override {
    moveCamera(stage, gesture_, by, (by.x() - by.y()) / kZoomPixelsPerStep,
               {stage.pointer.pressX, stage.pointer.pressY});
  }
  void release(Stage& stage, const Modifiers&) override {
    stage.editor.endGesture();  // it may have moved a picture's camera
  }

 private:
  CameraGesture gesture_;
};

}  // namespace

std::unique_ptr<Tool> makeCameraTool(CameraGesture gesture) { return std::make_unique<CameraTool>(gesture); }

void scrollPicture(Stage& stage, const WheelTurn& turn) {
  const CameraGesture gesture = scrollGestureOf(turn.modifiers, stage.settings.scrolling);
  const double pixels = gesture == CameraGesture::Zoom ? 0.0 : kPixelsPerScroll * stage.picture.displayScale;
  moveCamera(stage, gesture, {pixels * turn.stepsX, pixels * turn.steps}, turn.steps, {turn.x, turn.y});
}

}  // namespace limber::app
