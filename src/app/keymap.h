// SPDX-License-Identifier: MIT
// Which key asks for what. The sheet of all keys (F1) and the menus read the same table.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "app/input.h"

namespace limber::app {

enum class Action {
  ToggleMode,
  TurnUp,        ///< +5 degrees (0.05 m)
  TurnDown,
  TurnUpFine,    ///< +1 degree (0.01 m)
  TurnDownFine,
  RestPose,
  NextJoint,
  PreviousJoint,
  LockJoint,
  Pin,          ///< a link's position and rotation
  PinPosition,
  PinRotation,
  DeleteGoal,  ///< or the selected obstacle
  ToggleFollow,
  Solve,
  ToggleBalance,
  SelectTool,    ///< no gizmo but the rings of the selected joint
  MoveTool,      ///< arrows on what is selected; again: world or local axes
  TurnTool,      ///< rings, likewise
  ToggleAxes,    ///< of gizmos and locks: the world's or what is selected has
  LockX,         ///< of a drag: along the axis alone; again: free
  LockY,
  LockZ,
  LockPlaneX,    ///< in the plane across the axis
  LockPlaneY,
  LockPlaneZ,
  Nudge,
  FindAnyPose,
  FindGlobalPose,
  FindWorkspace,
  FrameSelection,
  FrameAll,
  NextSkinView,  ///< skin, figure in the skin, figure
  ToggleRace,
  RaceStepBack,
  RaceStepForward,
  ToggleTimeline,
  PlayOrPause,
  FrameBack,
  FrameForward,
  PreviousKey,
  NextKey,
  KeyPose,
  KeyGoals,      ///< of the selected goal, or of all
  RemoveKey,
  Undo,
  Redo,
  New,
  Open,
  Save,
  SaveAs,
  SaveFigureAs,
  Export,
  CopyPose,
  PastePose,
  Quit,
  Help,
  Cancel,
};

/// What a key press asks for; nothing for keys without a meaning. Letters are those of the user's layout.
std::optional<Action> actionOf(const KeyPress& press);

/// What it asks for while something is dragged, where this is something else.
std::optional<Action> dragActionOf(const KeyPress& press);

/// The same for typed characters: . and , and what Shift makes of them on the common layouts (> < : ;).
std::optional<Action> actionOf(const Typed& typed);

/// True for those that a held key repeats.
bool repeats(Action action);

/// One line of the sheet of keys.
struct KeyLine {
  std::string_view section;
  std::string_view keys;
  std::string_view what;
};
std::span<const KeyLine> keySheet();

}  // namespace limber::app
