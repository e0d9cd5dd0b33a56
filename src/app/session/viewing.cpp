// SPDX-License-Identifier: MIT
#include "app/session/viewing.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "app/session/picture_view.h"

namespace limber::app {

namespace {

constexpr double kStep = std::numbers::pi / 12.0;  // turn for one key press: 15 degrees
constexpr double kZoomPixelsPerStep = 20.0;        // pixels of a zooming drag for one wheel step
constexpr double kPixelsPerScroll = 30.0;          // pixels that one wheel step of two fingers pans by

/// Moves the camera there in a short animation, or at once when nothing is shown yet.
void turnCamera(Session& session, const Camera& to) {
  if (session.picture.area.width < 1.0) {
    session.picture.camera = to;
    return;
  }
  session.picture.turn = CameraTurn{session.picture.camera, to, session.ui.now};
}

int pictureWidth(const Session& session) { return static_cast<int>(session.picture.area.width); }
int pictureHeight(const Session& session) { return static_cast<int>(session.picture.area.height); }

void frame(Session& session, const Eigen::Vector3d& low, const Eigen::Vector3d& high) {
  Camera to = endOf(session.picture.turn, session.picture.camera);
  frameBounds(to, low, high, pictureWidth(session), pictureHeight(session));
  turnCamera(session, to);
}

}  // namespace

Camera homeView(const Session& session) {
  const Eigen::Vector3d &low = session.picture.drawList.boundsMin, &high = session.picture.drawList.boundsMax;
  const int width = pictureWidth(session), height = pictureHeight(session);
  Camera home = frameAll(low, high, session.document().figure->isPlanar(), width, height);
  home.isOrthographic = session.picture.camera.isOrthographic || session.document().figure->isPlanar();
  if (home.isOrthographic) frameBounds(home, low, high, width, height);
  return home;
}

bool showsPlane(const Session& session) {
  return session.document().figure->isPlanar() && seesPlane(endOf(session.picture.turn, session.picture.camera));
}

void lookFrom(Session& session, render::ViewFrom side) {
  using render::ViewFrom;
  stopLookingThrough(session);
  const bool isPlanar = session.document().figure->isPlanar();
  const bool isOpposite = side == ViewFrom::Back || side == ViewFrom::Left || side == ViewFrom::Bottom;
  if (isPlanar) side = isOpposite ? ViewFrom::Back : ViewFrom::Front;
  Camera to = seenFrom(endOf(session.picture.turn, session.picture.camera), side, isPlanar);
  if (isPlanar) to.isOrthographic = true;
  turnCamera(session, to);
}

void turnView(Session& session, double right, double up) {
  stopLookingThrough(session);
  Camera to = endOf(session.picture.turn, session.picture.camera);
  to.yaw = std::remainder(to.yaw + right * kStep, 2.0 * std::numbers::pi);
  to.pitch = std::clamp(to.pitch + up * kStep, -kMaxPitch, kMaxPitch);
  turnCamera(session, to);
}

void goHome(Session& session) {
  stopLookingThrough(session);
  turnCamera(session, homeView(session));
}

void frameEverything(Session& session) {
  stopLookingThrough(session);
  frame(session, session.picture.drawList.boundsMin, session.picture.drawList.boundsMax);
}

void frameSelection(Session& session) {
  stopLookingThrough(session);
  const Document& document = session.document();
  Eigen::Vector3d low = session.picture.drawList.boundsMin, high = session.picture.drawList.boundsMax;
  const Selection& selection = document.selection;
  if (const GoalItem* goal = findGoal(document, selection.goal)) {
    low = high = goal->target;
  } else if (selection.joint >= 0) {
    low = high = session.picture.kinematics.worldFromLink[selection.joint].translation;
    for (const int link : selection.allLinks()) {
      const Transform& worldFromLink = session.picture.kinematics.worldFromLink[link];
      for (const Capsule& capsule : document.figure->link(link).capsules)
        for (const Eigen::Vector3d& end : {worldFromLink * capsule.start, worldFromLink * capsule.end}) {
          low = low.cwiseMin(end);
          high = high.cwiseMax(end);
        }
    }
  }
  if (selection.joint >= 0 || selection.goal >= 0) {
    const double margin = 0.7 * document.figure->meanLinkLength();
    low.array() -= margin;
    high.array() += margin;
  }
  frame(session, low, high);
}

void switchProjection(Session& session) {
  stopLookingThrough(session);
  const bool isOrthographic = !session.picture.camera.isOrthographic;
  session.picture.camera.isOrthographic = isOrthographic;
  if (session.picture.turn)
    session.picture.turn->from.isOrthographic = session.picture.turn->to.isOrthographic = isOrthographic;
  const bool leavesPlane = !isOrthographic && session.document().figure->isPlanar();
  session.say(isOrthographic ? "orthographic: parallel lines stay parallel"
              : leavesPlane
                  ? "perspective, and drags orbit: " + keyIn(session, Command::ViewFront) + " goes back to the plane"
                  : "perspective",
              leavesPlane ? 4.0 : 2.0);
}

namespace {

/// Keeps the camera above the floor after a movement of the mouse; the keys may look from below.
void stopAtFloor(Session& session, const Camera& before, CameraGesture gesture) {
  if (!session.picture.drawList.showGround || session.picture.drawList.planar || gesture == CameraGesture::Look) return;
  if (keepAboveFloor(session.picture.camera, before, session.picture.drawList.groundHeight,
                     gesture == CameraGesture::Pan))
    session.say("the view stops at the floor: " + keyIn(session, Command::ViewBottom) + " looks from below", 2.0);
}

}  // namespace

void moveCamera(Session& session, CameraGesture gesture, double dx, double dy, double pressX, double pressY) {
  const int width = pictureWidth(session), height = pictureHeight(session);
  const double zoomSteps = (dx - dy) / kZoomPixelsPerStep;
  if (moveReferenceCamera(session, gesture, dx, dy, pressX, pressY, zoomSteps)) return;
  session.picture.turn.reset();  // the gesture continues from where the animation is
  const Camera before = session.picture.camera;
  if (showsPlane(session) && (gesture == CameraGesture::Orbit || gesture == CameraGesture::Look)) {
    gesture = CameraGesture::Pan;
    if (!std::exchange(session.ui.toldOfPlane, true))
      session.say("the plane is shown flat: " + keyIn(session, Command::ToggleOrthographic) + " lets drags orbit");
  }
  switch (gesture) {
    case CameraGesture::Orbit: orbit(session.picture.camera, dx, dy, height); break;
    case CameraGesture::Pan: pan(session.picture.camera, dx, dy, width, height); break;
    case CameraGesture::Zoom: zoom(session.picture.camera, zoomSteps, pressX, pressY, width, height); break;
    case CameraGesture::Look: look(session.picture.camera, dx, dy, height); break;
  }
  stopAtFloor(session, before, gesture);
}

void scrollPicture(Session& session, const WheelTurn& turn) {
  const CameraGesture gesture = scrollGestureOf(turn.modifiers, session.settings.scrolling);
  if (gesture == CameraGesture::Zoom) {
    if (moveReferenceCamera(session, gesture, 0.0, 0.0, turn.x, turn.y, turn.steps)) return;
    session.picture.turn.reset();
    const Camera before = session.picture.camera;
    zoom(session.picture.camera, turn.steps, turn.x, turn.y, pictureWidth(session), pictureHeight(session));
    stopAtFloor(session, before, gesture);
    return;
  }
  const double pixels = kPixelsPerScroll * session.picture.displayScale;
  moveCamera(session, gesture, pixels * turn.stepsX, pixels * turn.steps, turn.x, turn.y);
}

}  // namespace limber::app
