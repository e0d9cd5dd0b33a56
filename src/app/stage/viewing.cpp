// SPDX-License-Identifier: MIT
#include "app/stage/viewing.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/stage/commands.h"
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

void frame(Stage& session, const Eigen::Vector3d& low, const Eigen::Vector3d& high) {
  Camera to = endOf(session.picture.turn, session.picture.camera);
  frameBounds(to, low, high, pictureWidth(session), pictureHeight(session));
  turnCamera(session, to);
}

}  // namespace

Camera homeView(const Stage& session) {
  const Eigen::Vector3d &low = session.picture.drawList.boundsMin, &high = session.picture.drawList.boundsMax;
  const int width = pictureWidth(session), height = pictureHeight(session);
  Camera home =
      frameAll(low, high, session.document().figure->isPlanar(), width, height, session.picture.drawList.frontTurns);
  home.isOrthographic = session.picture.camera.isOrthographic || session.document().figure->isPlanar();
  if (home.isOrthographic) frameBounds(home, low, high, width, height);
  return home;
}

bool showsPlane(const Stage& session) {
  return session.document().figure->isPlanar() && seesPlane(endOf(session.picture.turn, session.picture.camera));
}

void lookFrom(Stage& session, render::ViewFrom side) {
  using render::ViewFrom;
  stopLookingThrough(session);
  const bool isPlanar = session.document().figure->isPlanar();
  const bool isOpposite = side == ViewFrom::Back || side == ViewFrom::Left || side == ViewFrom::Bottom;
  if (isPlanar) side = isOpposite ? ViewFrom::Back : ViewFrom::Front;
  Camera to = seenFrom(endOf(session.picture.turn, session.picture.camera), side, isPlanar,
                       session.picture.drawList.frontTurns);
  if (isPlanar) to.isOrthographic = true;
  turnCamera(session, to);
}

void turnView(Stage& session, double right, double up) {
  stopLookingThrough(session);
  Camera to = endOf(session.picture.turn, session.picture.camera);
  to.yaw = std::remainder(to.yaw + right * kStep, 2.0 * std::numbers::pi);
  to.pitch = std::clamp(to.pitch + up * kStep, -kMaxPitch, kMaxPitch);
  turnCamera(session, to);
}

void goHome(Stage& session) {
  stopLookingThrough(session);
  turnCamera(session, homeView(session));
}

void frameEverything(Stage& session) {
  stopLookingThrough(session);
  frame(session, session.picture.drawList.boundsMin, session.picture.drawList.boundsMax);
}

void frameSelection(Stage& session) {
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

void switchProjection(Stage& session) {
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

}  // namespace limber::app
