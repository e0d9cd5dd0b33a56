// SPDX-License-Identifier: MIT
// What the mouse does in the picture: select, drag, follow, orbit, pan, zoom. A drag goes from here to drag.h, which
// edits the document or says what is asked of the solver.
#pragma once

#include <optional>

#include "app/drag/drag.h"
#include "app/settings/input.h"
#include "app/view/picking.h"

namespace limber::app {

struct Session;

/// What the mouse is doing.
struct Pointer {
  enum class Gesture { None, Pressed, Dragging, Boxing, Orbiting, Panning, Zooming, Looking };
  Gesture gesture = Gesture::None;
  Button button = Button::Left;
  double x = 0.0, y = 0.0;            ///< pixels of the picture
  double pressX = 0.0, pressY = 0.0;
  std::optional<Hit> pressed;         ///< what was under it at the press
  std::optional<Drag> drag;           ///< from the press on
  std::optional<Drag> following;      ///< the follow toggle's target
  double wheel = 0.0;                 ///< parts of a step that have not counted yet
  bool isInside = false;              ///< over the picture, not over a panel
  bool isModal = false;               ///< the drag goes on without a button, until a click accepts it

  bool isDragging() const { return gesture == Gesture::Dragging && drag.has_value(); }
  /// The drag, or the follow, under way; null for none.
  const Drag* moved() const { return following ? &*following : isDragging() ? &*drag : nullptr; }
};

void pressButton(Session& session, const ButtonChange& change);
void releaseButton(Session& session, const ButtonChange& change);
void moveCursor(Session& session, const CursorMove& move);

/// What pointer.drag holds goes from here on; at `pressed` it was taken.
void startDragging(Session& session);
/// Puts what is dragged where cursor, lock and number say, and asks for the pose that follows.
void updateDrag(Session& session, const Modifiers& held);
/// What is dragged is a question to the figure: an obstacle or a pin only where it is asked for something besides.
bool dragAsksSomething(const Session& session);
/// Cancels a drag or a follow exactly; false when there was none.
bool cancelDrag(Session& session);

/// Ends a follow as a click does: the target stays where it is.
void plantFollowed(Session& session);
/// What was followed so far becomes a step, before something else does. The mouse leads on when it moves again.
void pauseFollow(Session& session);

}  // namespace limber::app
