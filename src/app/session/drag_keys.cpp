// SPDX-License-Identifier: MIT
#include "app/session/pointer.h"

#include <cmath>
#include <cstdio>
#include <numbers>
#include <vector>

#include "app/drag/drag_chain.h"
#include "app/session/session.h"
#include "app/settings/units.h"
#include "limber/body/mirror.h"

namespace limber::app {

namespace {

constexpr double kDegreesPerRadian = 180.0 / std::numbers::pi;
constexpr const char* kAxisNames[] = {"X", "Y", "Z"};

std::optional<AxisLock> lockOf(Command command) {
  switch (command) {
    case Command::LockX: return AxisLock{0, false};
    case Command::LockY: return AxisLock{1, false};
    case Command::LockZ: return AxisLock{2, false};
    case Command::LockPlaneX: return AxisLock{0, true};
    case Command::LockPlaneY: return AxisLock{1, true};
    case Command::LockPlaneZ: return AxisLock{2, true};
    default: return std::nullopt;
  }
}

/// Sets the axes of the locks to those at the start of the drag.
void orientLocks(const Session& session, Drag& drag) {
  if (isGizmo(drag.grip)) return;  // a gizmo has its own axes
  drag.axes.setIdentity();
  if (!session.picture.gizmo.isLocal && !drag.hasOwnAxes) return;
  Kinematics kinematics;
  computeTransforms(*drag.before.figure, drag.before.pose, kinematics);
  const int id = drag.subject == Subject::Goal       ? drag.goal
                 : drag.subject == Subject::Obstacle ? drag.obstacle
                                                     : drag.link;
  drag.axes = ownAxesOf(drag.before, kinematics, drag.subject, id);
}

void lock(Session& session, Drag& drag, const AxisLock& lock) {
  if (!canLock(drag, lock)) return session.say("this cannot be locked to " + std::string(kAxisNames[lock.axis]));
  // In Blender's preset a second press takes the local axes, and a third removes the lock.
  const bool isAgain = drag.lock == lock, isBlender = session.settings.keys == KeyPreset::Blender;
  const bool takesOwn =
      isAgain && isBlender && !drag.hasOwnAxes && !session.picture.gizmo.isLocal && !isGizmo(drag.grip);
  if (takesOwn) drag.lock.reset();
  drag.hasOwnAxes = takesOwn;
  orientLocks(session, drag);
  toggleLock(drag, lock);
  updateDrag(session, {});
}

/// Enter accepts the typed number or the position of the cursor.
void accept(Session& session) {
  releaseButton(session, {session.pointer.button, false, {}, session.pointer.x, session.pointer.y});
}

void letTurn(Session& session, Drag& drag) {
  if (toggleOrientation(drag, session.picture.kinematics)) updateDrag(session, {});
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
  if (press.key == Key::Digit || press.key == Key::Numpad) return true;  // their characters follow as Typed events
  const auto command = dragCommandOf(press);
  if (command == Command::LetTurn) {
    if (!press.isRepeat) letTurn(session, drag);
    return true;
  }
  const auto wanted = command ? lockOf(*command) : std::nullopt;
  if (!wanted) return false;
  if (!press.isRepeat) lock(session, drag, *wanted);
  return true;
}

/// True when a typed number can set the drag; handles and knobs have no number.
bool takesNumber(const Drag& drag) { return drag.motion == Drag::Motion::Slide || drag.motion == Drag::Motion::Turn; }

bool takeCharacter(Session& session, Drag& drag, char32_t character) {
  if (!takesNumber(drag) || !drag.typed.type(character)) return false;
  updateDrag(session, {});
  return true;
}

/// Fractions of a step, as trackpads send them, are accumulated.
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
  else session.say("this has no following joints to add or remove");
}

std::string lengthWords(const Session& session, const Drag& drag) {
  const double metres = drag.slide.isLine() ? drag.way.dot(drag.slide.along) : drag.way.norm();
  const LengthUnit unit = session.settings.unit;
  char text[48];
  std::snprintf(text, sizeof text, "%+.4g %s", unitsPerMetre(unit) * metres, unitSuffix(unit));
  return text;
}

/// How far the drag has turned or moved, or the typed number.
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
  if (document.mode == Mode::Inverse && !document.goals.empty()) words += ", targets follow";
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
  if (!session.pointer.isDragging()) return false;
  Drag* drag = &*session.pointer.drag;
  if (const auto* press = std::get_if<KeyPress>(&event)) return takeKey(session, *drag, *press);
  if (const auto* typed = std::get_if<Typed>(&event)) return takeCharacter(session, *drag, typed->character);
  const auto* wheel = std::get_if<WheelTurn>(&event);
  if (wheel) turnWheel(session, *drag, *wheel);
  return wheel != nullptr;
}

std::string dragStatus(const Session& session) {
  if (!session.pointer.isDragging()) return {};
  const Drag* drag = &*session.pointer.drag;
  std::string text;
  if (drag->lock)
    append(text, std::string(kAxisNames[drag->lock->axis]) + (drag->lock->isPlane ? " kept" : " locked") +
                     (session.picture.gizmo.isLocal || drag->hasOwnAxes ? ", own axes" : ""));
  if (takesNumber(*drag)) append(text, measureWords(session, *drag));
  if (drag->isTrunk) append(text, keepsOrientation(*drag) ? "not turned: O lets it turn" : "turns freely: O keeps it");
  if (drag->subject == Subject::Joint) append(text, jointWords(session, *drag));
  if (drag->followers >= 0)
    append(text, std::to_string(drag->followers) + " of " + std::to_string(drag->candidates.size()) +
                     (drag->candidates.size() == 1 ? " joint follows" : " joints follow"));
  if (const PosingReport* report = session.solving.reportFor(session.document())) {
    append(text, limbWords(session.document(), report->limb, report->bodyMoved));
    if (!report->heldFeet.empty()) append(text, "Alt releases the feet");
  }
  append(text, session.pointer.isModal ? "a click accepts, right click or Esc cancels" : "Esc cancels");
  return text;
}

}  // namespace limber::app
