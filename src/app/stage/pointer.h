// SPDX-License-Identifier: MIT
// The mouse in the picture: its position, and the tool that uses it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/settings/input.h"
#include "app/stage/tool.h"
#include "app/view/picking.h"

namespace limber::app {

struct Pointer {
  std::unique_ptr<Tool> tool;       ///< from the press of a button to its release; null for none
  std::unique_ptr<Tool> following;  ///< the tool of the follow toggle, which needs no button; null for none
  Button button = Button::Left;
  double x = 0.0, y = 0.0;  ///< pixels of the picture
  double pressX = 0.0, pressY = 0.0;
  std::optional<Hit> pressed;  ///< what was under the cursor at the press
  bool isInside = false;       ///< the cursor is over the picture, not over a panel
  bool isClick = false;        ///< the cursor is still at the place of the press
  bool isModal = false;        ///< the drag continues without a button until a click accepts it

  /// The running drag; null for none.
  Drag* drag() const { return tool && !isClick ? tool->drag() : nullptr; }
  bool isDragging() const { return drag() != nullptr; }
  /// The running drag or follow; null for none.
  Drag* moved() const { return following ? following->drag() : drag(); }
  /// True while a tool moves something.
  bool isMoving() const { return (tool && !isClick) || following; }
};

/// Ends a tool or a follow without its effect; false if neither was active.
bool cancelTool(Stage& stage);

/// Ends a follow as a click does: the target stays where it is.
void plantFollowed(Stage& stage);
/// Makes what was followed so far an undo step before another edit; following resumes when the mouse moves again.
void pauseFollow(Stage& stage);

/// The status line of the tool; empty for none: "X locked   0.124 m   3 of 7 joints follow   Esc cancels".
std::string toolStatus(const Stage& stage);

}  // namespace limber::app
