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

/// Shows the figure from a side. A planar figure is shown only from the front or from behind, since from any other side
/// its plane would be a line.
void turnTo(Session& session, render::ViewFrom side) {
  using render::ViewFrom;
  const bool isPlanar = session.document().figure->isPlanar();
  const bool isOpposite = side == ViewFrom::Back || side == ViewFrom::Left || side == ViewFrom::Bottom;
  if (isPlanar) side = isOpposite ? ViewFrom::Back : ViewFrom::Front;
  Camera to = seenFrom(endOf(session.picture.turn, session.picture.camera), side, isPlanar);
  if (isPlanar) to.isOrthographic = true;
  turnCamera(session, to);
}

void turnBy(Session& session, double yaw, double pitch) {
  Camera to = endOf(session.picture.turn, session.picture.camera);
  to.yaw = std::remainder(to.yaw + yaw, 2.0 * std::numbers::pi);
  to.pitch = std::clamp(to.pitch + pitch, -kMaxPitch, kMaxPitch);
  turnCamera(session, to);
}

void frame(Session& session, const Eigen::Vector3d& low, const Eigen::Vector3d& high) {
  Camera to = endOf(session.picture.turn, session.picture.camera);
  frameBounds(to, low, high, pictureWidth(session), pictureHeight(session));
  turnCamera(session, to);
}

/// Frames the selected links or target with a margin; everything when nothing is selected.
void frameSelection(Session& session) {
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
  const bool isOrthographic = !session.picture.camera.isOrthographic;
  session.picture.camera.isOrthographic = isOrthographic;
  if (session.picture.turn)
    session.picture.turn->from.isOrthographic = session.picture.turn->to.isOrthographic = isOrthographic;
  const bool leavesPlane = !isOrthographic && session.document().figure->isPlanar();
  session.say(isOrthographic ? "orthographic: parallel lines stay parallel"
              : leavesPlane  ? "perspective, and drags orbit: " + keyOf(Action::ViewFront, session.settings.keys) +
                                  " goes back to the plane"
                            : "perspective",
              leavesPlane ? 4.0 : 2.0);
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

void performViewing(Session& session, Action action) {
  using render::ViewFrom;
  stopLookingThrough(session);
  switch (action) {
    case Action::ViewFront: return turnTo(session, ViewFrom::Front);
    case Action::ViewBack: return turnTo(session, ViewFrom::Back);
    case Action::ViewRight: return turnTo(session, ViewFrom::Right);
    case Action::ViewLeft: return turnTo(session, ViewFrom::Left);
    case Action::ViewTop: return turnTo(session, ViewFrom::Top);
    case Action::ViewBottom: return turnTo(session, ViewFrom::Bottom);
    case Action::ViewHome: return turnCamera(session, homeView(session));
    case Action::TurnViewLeft: return turnBy(session, -kStep, 0.0);
    case Action::TurnViewRight: return turnBy(session, kStep, 0.0);
    case Action::TurnViewUp: return turnBy(session, 0.0, kStep);
    case Action::TurnViewDown: return turnBy(session, 0.0, -kStep);
    case Action::ToggleOrthographic: return switchProjection(session);
    case Action::FrameSelection: return frameSelection(session);
    case Action::FrameAll:
      return frame(session, session.picture.drawList.boundsMin, session.picture.drawList.boundsMax);
    default: return;
  }
}

namespace {

/// Keeps the camera above the floor after a movement of the mouse; the keys may look from below.
void stopAtFloor(Session& session, const Camera& before, CameraGesture gesture) {
  if (!session.picture.drawList.showGround || session.picture.drawList.planar || gesture == CameraGesture::Look) return;
  if (keepAboveFloor(session.picture.camera, before, session.picture.drawList.groundHeight,
                     gesture == CameraGesture::Pan))
    session.say(
        "the view stops at the floor: " + keyOf(Action::ViewBottom, session.settings.keys) + " looks from below", 2.0);
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
      session.say("the plane is shown flat: " + keyOf(Action::ToggleOrthographic, session.settings.keys) +
                  " lets drags orbit");
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
