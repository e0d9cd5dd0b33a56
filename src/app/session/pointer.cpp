// SPDX-License-Identifier: MIT
#include "app/session/pointer.h"

#include <cmath>
#include <utility>

#include "app/session/picture_camera.h"
#include "app/session/session.h"
#include "app/session/viewing.h"
#include "app/settings/units.h"
#include "limber/body/mirror.h"
#include "limber/scene/path_curve.h"

namespace limber::app {

namespace {

using Gesture = Pointer::Gesture;

constexpr double kSettleMs = 60.0;          // time for a solve to finish after the drag of a link
constexpr double kSettleWhollyMs = 2000.0;  // the same for a path-independent solve, which shows only its end

constexpr std::pair<CameraGesture, Gesture> kOfCamera[] = {{CameraGesture::Orbit, Gesture::Orbiting},
                                                           {CameraGesture::Pan, Gesture::Panning},
                                                           {CameraGesture::Zoom, Gesture::Zooming},
                                                           {CameraGesture::Look, Gesture::Looking}};

Gesture gestureFor(std::optional<CameraGesture> wanted) {
  for (const auto& [camera, gesture] : kOfCamera)
    if (wanted == camera) return gesture;
  return Gesture::None;
}

std::optional<CameraGesture> cameraGestureFor(Gesture present) {
  for (const auto& [camera, gesture] : kOfCamera)
    if (present == gesture) return camera;
  return std::nullopt;
}

/// Adds a point to the path at the hit; false when the hit is on no path.
bool addPointToPath(Session& session, const Hit& hit) {
  const Document& document = session.document();
  const TargetPath* path = document.timeline ? findPath(*document.timeline, hit.goal) : nullptr;
  if (!path || hit.grip != render::Grip::PathCurve) return false;
  int point = -1;
  session.editor.edit("add a point to the path", "", [&](Document& d) {
    point = insertPathPoint(d, hit.goal, PathCurve(*path).parameterNearest(hit.point));
    d.selection.goal = hit.goal;
  });
  session.ui.timeline.pathGoal = hit.goal;
  session.ui.timeline.pathPoint = point;
  return true;
}

void choosePathPoint(Session& session, const std::optional<Hit>& hit) {
  const bool isPoint = hit && hit->grip == render::Grip::PathPoint;
  session.ui.timeline.pathGoal = isPoint ? hit->goal : -1;
  session.ui.timeline.pathPoint = isPoint ? hit->part : -1;
}

Selection clickedLinks(Session& session, int link, bool adds) {
  const NamedParts& parts = partsOf(session.document());
  const Selection& present = session.document().selection;
  if (!adds) return clickedSelection(parts, present, link);
  const int whole = parts.wholeOf(link);
  return toggledSelection(present, parts.linksOf(whole), parts.mainLinkOf(whole));
}

void click(Session& session, const Modifiers& held) {
  const auto& hit = session.pointer.pressed;
  if (hit && isGizmo(hit->grip) && !session.ui.planting) return;
  if (hit && held.control && !session.ui.planting && addPointToPath(session, *hit)) return;
  if (session.ui.planting) return plantAt(session, hit);
  choosePathPoint(session, hit);
  Selection& selection = session.editor.touch().selection;
  if (!hit && held.shift) return;  // adds nothing, and takes nothing away
  if (!hit) selection = {};
  else if (hit->obstacle >= 0) selection = {.obstacle = hit->obstacle};
  else if (hit->goal >= 0) selection.goal = hit->goal;
  else selection = clickedLinks(session, hit->link, held.shift);
  session.ui.scrollTree = true;
  session.editor.endGesture();
}

void selectInBox(Session& session) {
  const Pointer& pointer = session.pointer;
  session.editor.touch().selection =
      boxedSelection(session.document(), session.picture.kinematics, partsOf(session.document()),
                     session.picture.view(), {pointer.pressX, pointer.pressY}, {pointer.x, pointer.y});
  session.ui.scrollTree = true;
  session.editor.endGesture();
}

void follow(Session& session) {
  Pointer& pointer = session.pointer;
  const Document& document = session.document();
  if (!pointer.following) {
    const int id =
        document.selection.goal >= 0 || document.goals.empty() ? document.selection.goal : document.goals.back().id;
    const GoalItem* goal = findGoal(document, id);
    if (!goal || !hasMovableTarget(*goal)) return;
    const auto at = render::projectToPixel(session.picture.view(), goal->target);
    if (!at) return;
    pointer.following =
        beginDrag(document, session.picture.kinematics, {-1, id, goal->target, 0.0, render::Grip::Target},
                  session.picture.view(), at->x(), at->y());
    pointer.following->isUnderCursor = true;
    session.services.racing.endGesture();
  }
  if (!moveDrag(*pointer.following, session.editor.touch(), session.picture.view(), pointer.x, pointer.y)) return;
  keepSeenGoals(pointer.following->before, session.editor.touch());
  session.solving.request(pointer.following->request);
}

/// The label of the drag's undo step.
std::string labelOf(const Drag& drag) {
  const bool isTurn = drag.motion == Drag::Motion::Turn;
  switch (drag.subject) {
    case Subject::Obstacle: return isTurn ? "turn obstacle" : "move obstacle";
    case Subject::Pin: return isTurn ? "turn pin" : "move pin";
    case Subject::Joint: return (isTurn ? "turn " : "slide ") + drag.before.figure->joint(drag.link).name;
    case Subject::Goal: return isTurn ? "turn target" : "drag";
    default: return "drag";
  }
}

/// Begins a drag of what was hit; nothing when it cannot be dragged now.
std::optional<Drag> grab(const Session& session, const Hit& hit, double x, double y) {
  const Document& document = session.document();
  if (session.ui.planting) return std::nullopt;
  if (isGizmo(hit.grip)) {
    const auto gizmo = gizmoOf(document, session.picture.kinematics, session.picture.gizmo);
    if (!gizmo) return std::nullopt;
    Drag drag = beginGizmoDrag(document, session.picture.kinematics, *gizmo, hit, session.picture.view(), x, y);
    turnTogether(drag, turnedTogether(partsOf(session.document()), document.selection));
    return drag;
  }
  if (!isDraggable(document, hit) || (document.mode != Mode::Inverse && hit.obstacle < 0)) return std::nullopt;
  return beginDrag(document, session.picture.kinematics, hit, session.picture.view(), x, y);
}

void finishDrag(Session& session) {
  Pointer& pointer = session.pointer;
  if (pointer.drag->request.drag) {
    // The solve for the last movement finishes now, so that the pose stays as it is afterwards.
    advanceSolving(session, session.document().solver.pathIndependent ? kSettleWhollyMs : kSettleMs);
    session.solving.cancel();
  }
  const std::string label = labelOf(*pointer.drag);
  session.editor.commit(std::move(pointer.drag->before), label);
}

}  // namespace

void startDragging(Session& session) {
  session.pointer.gesture = Gesture::Dragging;
  session.playing.motion.isPlaying = false;
  session.playing.stop();
  if (session.pointer.drag->pathPoint >= 0) {
    choosePathPoint(session, session.pointer.pressed);
    session.editor.touch().selection.goal = session.pointer.drag->goal;
  }
  session.services.racing.endGesture();
  session.editor.endGesture();
  session.pointer.wheel = 0.0;
  session.pointer.drag->steps = snapStepsOf(session.picture.drawList.figureSize);
  if (session.pointer.drag->subject == Subject::Joint) session.solving.cancel();  // the drag itself sets the pose
  if (const int obstacle = session.pointer.pressed->obstacle; obstacle >= 0)
    session.editor.touch().selection = {.obstacle = obstacle};
  const int link = session.pointer.pressed->link;
  const NamedParts& parts = partsOf(session.document());
  const auto name = [&] { return parts[parts.wholeOf(link)].name; };
  if (session.pointer.drag->isTrunk)  // the status bar may have no room for it
    session.say(name() + " keeps its orientation: O lets it turn", 3.0);
  if (link >= 0 && findPin(session.document(), link)) session.say(name() + " is pinned: P unpins it");
}

bool dragAsksSomething(const Session& session) {
  const Document& document = session.document();
  const bool isInverse = document.mode == Mode::Inverse;
  switch (session.pointer.drag->subject) {
    case Subject::Joint: return false;
    case Subject::Obstacle:
    case Subject::Pin: return asksSomething(document);
    default: return isInverse;
  }
}

void updateDrag(Session& session, const Modifiers& held) {
  Pointer& pointer = session.pointer;
  Drag& drag = *pointer.drag;
  const Pose before = session.document().pose;
  if (!moveDrag(drag, session.editor.touch(), session.picture.view(), pointer.x, pointer.y, held)) return;
  keepSymmetry(before, session.editor.touch());
  keepSeenGoals(drag.before, session.editor.touch());
  if (dragAsksSomething(session)) session.solving.request(drag.request);
}

void pressButton(Session& session, const ButtonChange& change) {
  Pointer& pointer = session.pointer;
  pointer.x = change.x;
  pointer.y = change.y;
  if (change.button == Button::Right && (pointer.gesture == Gesture::Dragging || pointer.gesture == Gesture::Boxing)) {
    cancelDrag(session);
    return;
  }
  if (pointer.isModal && change.button == Button::Left) return releaseButton(session, change);
  if (pointer.gesture != Gesture::None) return;  // another button is down already
  pointer.button = change.button;
  pointer.pressX = change.x;
  pointer.pressY = change.y;
  pointer.gesture = gestureFor(cameraGestureOf(change.button, change.modifiers, session.settings.keys));
  if (pointer.gesture != Gesture::None || change.button != Button::Left) return;
  if (pointer.following) return plantFollowed(session);
  pointer.gesture = Gesture::Pressed;
  pointer.drag.reset();
  refreshScene(session);
  pointer.pressed =
      pick(session.picture.drawList, session.picture.view(), change.x, change.y, session.picture.displayScale);
  if (pointer.pressed) pointer.drag = grab(session, *pointer.pressed, change.x, change.y);
  if (pointer.drag) pointer.drag->typedUnit = 1.0 / unitsPerMetre(session.settings.unit);
}

void releaseButton(Session& session, const ButtonChange& change) {
  Pointer& pointer = session.pointer;
  if (pointer.gesture == Gesture::None || change.button != pointer.button) return;
  const Gesture gesture = pointer.gesture;
  pointer.gesture = Gesture::None;
  pointer.isModal = false;
  if (cameraGestureFor(gesture)) session.editor.endGesture();  // it may have moved a picture's camera
  if (gesture == Gesture::Pressed) click(session, change.modifiers);
  if (gesture == Gesture::Dragging) finishDrag(session);
  if (gesture == Gesture::Boxing) selectInBox(session);
  if (gesture == Gesture::Sketching) plantAt(session, std::nullopt);
  pointer.drag.reset();
}

void moveCursor(Session& session, const CursorMove& move) {
  Pointer& pointer = session.pointer;
  const double dx = move.x - pointer.x, dy = move.y - pointer.y;
  pointer.x = move.x;
  pointer.y = move.y;
  const bool moved = std::hypot(move.x - pointer.pressX, move.y - pointer.pressY) > session.picture.clickReach;
  if (pointer.gesture == Gesture::Pressed && moved) {
    if (pointer.drag) startDragging(session);
    else if (startSketching(session)) pointer.gesture = Gesture::Sketching;
    else if (!pointer.pressed && drawsBox(move.modifiers)) pointer.gesture = Gesture::Boxing;
    else pointer.gesture = gestureFor(besideGestureOf(move.modifiers));
  }
  if (const auto camera = cameraGestureFor(pointer.gesture))
    return moveCamera(session, *camera, dx, dy, pointer.pressX, pointer.pressY);
  if (pointer.gesture == Gesture::Dragging) return updateDrag(session, move.modifiers);
  sketch(session);
  const bool follows = session.document().follow && session.document().mode == Mode::Inverse && pointer.isInside;
  if (pointer.gesture == Gesture::None && follows) follow(session);
}

bool cancelDrag(Session& session) {
  Pointer& pointer = session.pointer;
  if (pointer.gesture == Gesture::Boxing) {
    pointer.gesture = Gesture::None;
    return true;
  }
  std::optional<Drag>& drag = pointer.following ? pointer.following : pointer.drag;
  if (!drag || (pointer.gesture != Gesture::Dragging && !pointer.following)) return false;
  session.solving.cancel();
  session.editor.restore(std::move(drag->before));
  session.editor.touch().follow = false;
  drag.reset();
  pointer.gesture = Gesture::None;
  pointer.isModal = false;
  session.say("cancelled");
  return true;
}

void pauseFollow(Session& session) {
  std::optional<Drag>& following = session.pointer.following;
  if (!following) return;
  Document before = std::move(following->before);
  following.reset();
  session.editor.commit(std::move(before), "follow the mouse");
}

void plantFollowed(Session& session) {
  std::optional<Drag>& following = session.pointer.following;
  session.editor.touch().follow = false;
  if (!following) return;
  Document before = std::move(following->before);
  before.follow = false;
  following.reset();
  session.editor.commit(std::move(before), "follow the mouse");
}

}  // namespace limber::app
