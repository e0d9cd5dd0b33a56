// SPDX-License-Identifier: MIT
#include "app/manipulation.h"

#include <cmath>
#include <cstdio>
#include <numbers>
#include <vector>

#include "app/drag_chain.h"
#include "app/units.h"
#include "limber/problem/mirror.h"

namespace limber::app {

namespace {

constexpr double kDegreesPerRadian = 180.0 / std::numbers::pi;
constexpr const char* kAxisNames[] = {"X", "Y", "Z"};

Drag* dragUnderWay(Session& session) {
  return session.pointer.gesture == Pointer::Gesture::Dragging && session.pointer.drag ? &*session.pointer.drag
                                                                                        : nullptr;
}
const Drag* dragUnderWay(const Session& session) { return dragUnderWay(const_cast<Session&>(session)); }

std::optional<AxisLock> lockOf(Action action) {
  switch (action) {
    case Action::LockX: return AxisLock{0, false};
    case Action::LockY: return AxisLock{1, false};
    case Action::LockZ: return AxisLock{2, false};
    case Action::LockPlaneX: return AxisLock{0, true};
    case Action::LockPlaneY: return AxisLock{1, true};
    case Action::LockPlaneZ: return AxisLock{2, true};
    default: return std::nullopt;
  }
}

/// The axes that a lock is for, as they were when the drag began.
void orientLocks(const Session& session, Drag& drag) {
  if (isGizmo(drag.grip)) return;  // its own
  drag.axes.setIdentity();
  if (!session.gizmo.isLocal && !drag.hasOwnAxes) return;
  Kinematics kinematics;
  computeTransforms(*drag.before.figure, drag.before.pose, kinematics);
  const int id = drag.subject == Subject::Goal       ? drag.goal
                 : drag.subject == Subject::Obstacle ? drag.obstacle
                                                     : drag.link;
  drag.axes = ownAxesOf(drag.before, kinematics, drag.subject, id);
}

void lock(Session& session, Drag& drag, const AxisLock& lock) {
  if (!canLock(drag, lock)) {
    session.say("this cannot be locked to " + std::string(kAxisNames[lock.axis]));
    return;
  }
  // In Blender's set the same key again takes the own axes, and then frees.
  const bool isAgain = drag.lock == lock, isBlender = session.settings.keys == KeyPreset::Blender;
  const bool takesOwn = isAgain && isBlender && !drag.hasOwnAxes && !session.gizmo.isLocal && !isGizmo(drag.grip);
  if (takesOwn) drag.lock.reset();
  drag.hasOwnAxes = takesOwn;
  orientLocks(session, drag);
  toggleLock(drag, lock);
  updateDrag(session, {});
}

/// Enter: what is typed, or where the cursor is, stays.
void accept(Session& session) {
  releaseButton(session, {session.pointer.button, false, {}, session.pointer.x, session.pointer.y});
}

void letTurn(Session& session, Drag& drag) {
  if (toggleOrientation(drag, session.kinematics)) updateDrag(session, {});
  else session.say("this has no orientation to keep: O is for a pelvis or a chest");
}

bool takeKey(Session& session, Drag& drag, const KeyPress& press) {
  if (press.key == Key::Enter) {
    accept(session);
    return true;
  }
  if (press.key == Key::Backspace) {
    if (drag.typed.erase()) updateDrag(session, {});
    return true;
  }
  if (press.key == Key::Digit || press.key == Key::Numpad) return true;  // what they type comes as a character
  const auto action = dragActionOf(press);
  if (action == Action::LetTurn) {
    if (!press.isRepeat) letTurn(session, drag);
    return true;
  }
  const auto wanted = action ? lockOf(*action) : std::nullopt;
  if (!wanted) return false;
  if (!press.isRepeat) lock(session, drag, *wanted);
  return true;
}

/// Handles and knobs have no number of their own.
bool takesNumber(const Drag& drag) {
  return drag.motion == Drag::Motion::Slide || drag.motion == Drag::Motion::Turn;
}

bool takeCharacter(Session& session, Drag& drag, char32_t character) {
  if (!takesNumber(drag) || !drag.typed.type(character)) return false;
  updateDrag(session, {});
  return true;
}

/// Parts of a step, as trackpads send them, add up.
void turnWheel(Session& session, Drag& drag, const WheelTurn& wheel) {
  if (wheel.modifiers.control) {
    if (pushAway(drag, wheel.steps)) updateDrag(session, {});
    else session.say("this does not move along the view");
    return;
  }
  session.pointer.wheel += wheel.steps;
  const double whole = std::trunc(session.pointer.wheel);
  session.pointer.wheel -= whole;
  if (whole == 0.0) return;
  if (changeFollowers(drag, session.editor.touch(), static_cast<int>(whole))) updateDrag(session, {});
  else session.say("nothing follows this that could be fewer");
}

std::string lengthWords(const Session& session, const Drag& drag) {
  const double metres = drag.slide.isLine() ? drag.way.dot(drag.slide.along) : drag.way.norm();
  const LengthUnit unit = session.settings.unit;
  char text[48];
  std::snprintf(text, sizeof text, "%+.4g %s", unitsPerMetre(unit) * metres, unitSuffix(unit));
  return text;
}

/// What has been turned or moved how far.
std::string measureWords(const Session& session, const Drag& drag) {
  const bool isTurn = drag.motion == Drag::Motion::Turn;
  const std::string unit = isTurn ? "\u00b0" : std::string(" ") + unitSuffix(session.settings.unit);
  if (!drag.typed.isEmpty()) return drag.typed.text() + unit + " typed, Enter accepts";
  if (!isTurn) return lengthWords(session, drag);
  char text[96];
  std::snprintf(text, sizeof text, "%+.1f\u00b0", drag.angle * kDegreesPerRadian);
  return text;
}

std::string jointWords(const Session& session, const Drag& drag) {
  const Document& document = session.document();
  std::string words = document.figure->joint(drag.link).name;
  if (isStoppedByLimit(drag, document)) words += " is at its limit";
  if (document.mode == Mode::Inverse && !document.goals.empty()) words += ", targets come along";
  if (document.mode == Mode::Inverse && !document.pins.empty()) words += ", pins stay";
  return words;
}

void append(std::string& text, const std::string& part) {
  if (part.empty()) return;
  if (!text.empty()) text += "   ";
  text += part;
}

}  // namespace

bool takeInDrag(Session& session, const InputEvent& event) {
  Drag* drag = dragUnderWay(session);
  if (!drag) return false;
  if (const auto* press = std::get_if<KeyPress>(&event)) return takeKey(session, *drag, *press);
  if (const auto* typed = std::get_if<Typed>(&event)) return takeCharacter(session, *drag, typed->character);
  const auto* wheel = std::get_if<WheelTurn>(&event);
  if (wheel) turnWheel(session, *drag, *wheel);
  return wheel != nullptr;
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
  if (!moveDrag(drag, session.editor.touch(), session.view(), pointer.x, pointer.y, held)) return;
  keepSymmetry(before, session.editor.touch());
  if (dragAsksSomething(session)) session.solving.request(drag.request);
}

void chooseTool(Session& session, GizmoTool::Kind kind) {
  GizmoTool& tool = session.gizmo;
  if (tool.kind == kind && kind != GizmoTool::Kind::Select) return toggleAxes(session);
  tool.kind = kind;
  if (kind == GizmoTool::Kind::Select) return session.say("no gizmo: drag the figure itself");
  const bool isMove = kind == GizmoTool::Kind::Move;
  if (gizmoOf(session.document(), session.kinematics, tool))
    return session.say((isMove ? "move gizmo, " : "rotate gizmo, ") +
                       keyOf(isMove ? Action::MoveTool : Action::TurnTool, session.settings.keys) +
                       " changes its axes");
  session.say(isMove ? "move gizmo: on a target, a link, a pinned link or an obstacle, once it is selected"
                     : "rotate gizmo: on a joint, a target with a direction or an obstacle, once it is selected");
}

void toggleAxes(Session& session) {
  session.gizmo.isLocal = !session.gizmo.isLocal;
  session.say(session.gizmo.isLocal ? "axes of what is selected" : "axes of the world");
}

namespace {

/// What would move first if the link or target under the cursor were dragged.
std::vector<char> followersOfHovered(const Document& document, const render::Highlight& highlight) {
  const GoalItem* goal = findGoal(document, highlight.hoveredGoal);
  const int link = highlight.hoveredLink >= 0 ? highlight.hoveredLink : goal ? goal->link : -1;
  if (link < 0) return {};
  if (std::vector<char> limb = limbThatReaches(document, link); !limb.empty()) return limb;
  if (highlight.hoveredLink < 0) return {};
  const bool freesRoot = document.figure->isFreeRoot(link);
  return byLink(document, joinedAbove(document, link, freesRoot));
}

}  // namespace

void highlightManipulation(const Session& session, render::Highlight& highlight) {
  const Document& document = session.document();
  if (const auto gizmo = gizmoOf(document, session.kinematics, session.gizmo)) {
    const bool hasRings = gizmo->mark.rings != std::array<bool, 3>{};
    highlight.jointHasGizmo = gizmo->subject != Subject::Goal && gizmo->subject != Subject::Obstacle;
    highlight.goalHasRings = gizmo->subject == Subject::Goal && hasRings;
    highlight.obstacleHasArrows = gizmo->subject == Subject::Obstacle && !hasRings;
  }
  if (const Drag* drag = dragUnderWay(session)) {
    if (drag->followers >= 0) highlight.follows = byLink(document, nearest(drag->candidates, drag->followers));
    else if (dragAsksSomething(session) && drag->link >= 0) highlight.follows = limbThatReaches(document, drag->link);
  } else if (document.mode == Mode::Inverse && !session.ui.planting) {
    highlight.follows = followersOfHovered(document, highlight);
  }
}

void appendManipulation(const Session& session, render::DrawList& list) {
  const Drag* drag = dragUnderWay(session);
  const render::View view = session.view();
  if (auto gizmo = gizmoOf(session.document(), session.kinematics, session.gizmo)) {
    render::GizmoMark& mark = gizmo->mark;
    mark.isHeld = drag && isGizmo(drag->grip);
    mark.lit = mark.isHeld ? drag->grip : isGizmo(session.highlight.hoveredGrip) ? session.highlight.hoveredGrip
                                                                                 : render::Grip::None;
    if (mark.isHeld && drag->motion == Drag::Motion::Turn) {
      mark.turned = drag->angle;
      mark.from = drag->turn.from;
      mark.axis = drag->turn.axis;
    }
    if (!drag || mark.isHeld) render::appendGizmo(mark, view, session.displayScale, list);
  }
  if (!drag || !drag->lock) return;
  const Eigen::Vector3d point = drag->motion == Drag::Motion::Turn ? drag->start : drag->target;
  for (int axis = 0; axis < 3; ++axis)
    if ((axis == drag->lock->axis) != drag->lock->isPlane)
      render::appendLockLine(point, drag->axes.col(axis), axis, view, session.displayScale, list);
}

std::string dragStatus(const Session& session) {
  const Drag* drag = dragUnderWay(session);
  if (!drag) return {};
  std::string text;
  if (drag->lock)
    append(text, std::string(kAxisNames[drag->lock->axis]) + (drag->lock->isPlane ? " kept" : " locked") +
                     (session.gizmo.isLocal || drag->hasOwnAxes ? ", own axes" : ""));
  if (takesNumber(*drag)) append(text, measureWords(session, *drag));
  if (drag->isTrunk) append(text, keepsOrientation(*drag) ? "not turned: O lets it turn" : "turns along: O keeps it");
  if (drag->subject == Subject::Joint) append(text, jointWords(session, *drag));
  if (drag->followers >= 0)
    append(text, std::to_string(drag->followers) + " of " + std::to_string(drag->candidates.size()) +
                     (drag->candidates.size() == 1 ? " joint follows" : " joints follow"));
  if (const PosingReport* report = session.solving.reportFor(session.document())) {
    append(text, limbWords(session.document(), report->limb, report->bodyMoved));
    if (!report->heldFeet.empty()) append(text, "Alt lets the feet go");
  }
  append(text, session.pointer.isModal ? "a click accepts, right click or Esc takes it back" : "Esc takes it back");
  return text;
}

}  // namespace limber::app
