// SPDX-License-Identifier: MIT
// The mouse in the picture: select, drag, follow, orbit, pan, zoom. Drags are carried out by drag.h, which edits the
// document or fills a request to the solver.
#pragma once

#include <optional>
#include <string>

#include "app/drag/drag.h"
#include "app/settings/input.h"
#include "app/view/picking.h"

namespace limber::app {

struct Planting;
struct Session;

struct Pointer {
  enum class Gesture { None, Pressed, Dragging, Boxing, Sketching, Orbiting, Panning, Zooming, Looking };
  Gesture gesture = Gesture::None;
  Button button = Button::Left;
  double x = 0.0, y = 0.0;  ///< pixels of the picture
  double pressX = 0.0, pressY = 0.0;
  std::optional<Hit> pressed;     ///< what was under the cursor at the press
  std::optional<Drag> drag;       ///< from the press on
  std::optional<Drag> following;  ///< the follow toggle's target
  double wheel = 0.0;             ///< accumulated fraction of a wheel step
  bool isInside = false;          ///< over the picture, not over a panel
  bool isModal = false;           ///< the drag continues without a button until a click accepts it

  bool isDragging() const { return gesture == Gesture::Dragging && drag.has_value(); }
  /// The running drag or follow; null for none.
  const Drag* moved() const { return following ? &*following : isDragging() ? &*drag : nullptr; }
};

void pressButton(Session& session, const ButtonChange& change);
void releaseButton(Session& session, const ButtonChange& change);
void moveCursor(Session& session, const CursorMove& move);

/// Starts the drag in pointer.drag, which was grabbed at pointer.pressed.
void startDragging(Session& session);
/// Moves what is dragged by cursor, lock and typed number, and requests a solve for the pose that follows.
void updateDrag(Session& session, const Modifiers& held);
/// True when the drag needs the solver; that of an obstacle or a pin only while there are goals or pins to solve for.
bool dragAsksSomething(const Session& session);
/// Cancels a drag or a follow and restores the document; false when there was none.
bool cancelDrag(Session& session);

/// Ends a follow as a click does: the target stays where it is.
void plantFollowed(Session& session);
/// Makes what was followed so far an undo step before another edit; following resumes when the mouse moves again.
void pauseFollow(Session& session);

// Keys, typed numbers and the wheel during a drag (drag_keys.cpp).

/// True when the event was for the running drag: a lock, a digit, the wheel. Without a drag it is false.
bool takeInDrag(Session& session, const InputEvent& event);

/// The state of the running drag in words: "X locked   0.124 m   3 of 7 joints follow   Esc cancels".
std::string dragStatus(const Session& session);

// The selection moved or turned without a mouse button, until a click accepts it (grabbing.cpp).

enum class Grabbed { Place, Turn };

/// Grabs the selection: a target, a link, a pin or an obstacle; to turn it, also a joint. A running grab of the other
/// kind is cancelled first. A message says why when nothing can be grabbed.
void grabSelected(Session& session, Grabbed what);

/// Resets the place or rotation of the selection as one undo step: a joint, with those at the same point, to its rest
/// pose; a goal to its end effector; an obstacle to that of a new one. Without a selection it resets all joints.
void clearSelected(Session& session, Grabbed what);

/// Chooses the gizmo; choosing it again switches between world and local axes.
void chooseTool(Session& session, GizmoTool::Kind kind);
void toggleAxes(Session& session);

// A goal added where the user clicks (planting.cpp).

/// Waits for a click, whatever is selected; a goal that needs no point of the figure is added at once.
void startPlanting(Session& session, GoalType type);

/// Takes the click that the goal waits for: on a link, or beside the figure (nothing).
void plantAt(Session& session, const std::optional<Hit>& hit);

/// The prompt over the picture for the next click: "Add goal, position: click its point on the figure.".
std::string plantingHint(const Planting& planting);

}  // namespace limber::app
