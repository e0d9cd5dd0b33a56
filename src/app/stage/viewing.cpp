// SPDX-License-Identifier: MIT
#include "app/stage/viewing.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/stage/picture_view.h"

namespace limber::app {

namespace {

constexpr double kStep = std::numbers::pi / 12.0;  // turn for one key press: 15 degrees

/// Moves the camera there in a short animation, or at once when nothing is shown yet.
void turnCamera(Stage& session, const Camera& to) {
  if (session.picture.area.width < 1.0) {
    session.picture.camera = to;
    return;
  }
  session.picture.turn = CameraTurn{session.picture.camera, to, session.ui.now};
}

int pictureWidth(const Stage& session) { return static_cast<int>(session.picture.area.width); }
int pictureHeight(const Stage& session) { return static_cast<int>(session.picture.area.height); }

/// Shows the figure from a side. A planar figure is shown only from the front or from behind, since from any other side
/// its plane would be a line.
void turnTo(Stage& session, render::ViewFrom side) {
  using render::ViewFrom;
  const bool isPlanar = session.document().figure->isPlanar();
  const bool isOpposite = side == ViewFrom::Back || side == ViewFrom::Left || side == ViewFrom::Bottom;
  if (isPlanar) side = isOpposite ? ViewFrom::Back : ViewFrom::Front;
  Camera to = seenFrom(endOf(session.picture.turn, session.picture.camera), side, isPlanar);
  if (isPlanar) to.isOrthographic = true;
  turnCamera(session, to);
}

void turnBy(Stage& session, double yaw, double pitch) {
  Camera to = endOf(session.picture.turn, session.picture.camera);
  to.yaw = std::remainder(to.yaw + yaw, 2.0 * std::numbers::pi);
  to.pitch = std::clamp(to.pitch + pitch, -kMaxPitch, kMaxPitch);
  turnCamera(session, to);
}

void frame(Stage& session, const Eigen::Vector3d& low, const Eigen::Vector3d& high) {
  Camera to = endOf(session.picture.turn, session.picture.camera);
  frameBounds(to, low, high, pictureWidth(session), pictureHeight(session));
  turnCamera(session, to);
}

/// Frames the selected links or target with a margin; everything when nothing is selected.
void frameSelection(Stage& session) {
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

void switchProjection(Stage& session) {
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

Camera homeView(const Stage& session) {
  const Eigen::Vector3d &low = session.picture.drawList.boundsMin, &high = session.picture.drawList.boundsMax;
  const int width = pictureWidth(session), height = pictureHeight(session);
  Camera home = frameAll(low, high, session.document().figure->isPlanar(), width, height);
  home.isOrthographic = session.picture.camera.isOrthographic || session.document().figure->isPlanar();
  if (home.isOrthographic) frameBounds(home, low, high, width, height);
  return home;
}

bool showsPlane(const Stage& session) {
  return session.document().figure->isPlanar() && seesPlane(endOf(session.picture.turn, session.picture.camera));
}

void performViewing(Stage& session, Action action) {
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

}  // namespace limber::app
