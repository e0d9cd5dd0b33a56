// SPDX-License-Identifier: MIT
// The keys of actions in each preset: one table, which the sheet of all keys (F1), menus and hints read.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/settings/chord.h"
#include "app/settings/input.h"
#include "app/settings/preferences.h"

namespace limber::app {

enum class Action {
  ToggleMode,
  TurnUp,  ///< +5 degrees (0.05 m)
  TurnDown,
  TurnUpFine,  ///< +1 degree (0.01 m)
  TurnDownFine,
  RestPose,
  MirrorPose,      ///< copies the selected side, else the left one, to the other
  FlipPose,        ///< exchanges both sides
  ToggleSymmetry,  ///< keeps both sides alike
  NextJoint,
  PreviousJoint,
  LockJoint,
  Pin,  ///< a link's position and rotation
  PinPosition,
  PinRotation,
  DeleteGoal,  ///< deletes the selected goal or obstacle
  ToggleFollow,
  Solve,
  ToggleBalance,
  SelectTool,  ///< no gizmo but the rings of the selected joint
  MoveTool,    ///< arrows on the selection; again: world or local axes
  TurnTool,    ///< rings, likewise
  Grab,        ///< the selection follows the mouse until a click accepts it
  Rotate,      ///< the selection turns with the mouse, likewise
  ClearPlace,  ///< sets the selection, or all joints, to the position at rest
  ClearRotation,
  ToggleAxes,  ///< axes of gizmos and locks: world or local
  LockX,       ///< restricts a drag to the axis; again: frees it
  LockY,
  LockZ,
  LockPlaneX,  ///< restricts a drag to the plane normal to the axis; again: frees it
  LockPlaneY,
  LockPlaneZ,
  LetTurn,  ///< lets a dragged trunk turn, or keeps its orientation
  Nudge,
  PoseFromTargets,  ///< poses a whole body from the planted goals
  RelaxRest,        ///< gives joints that no goal holds a natural pose
  FindAnyPose,
  FindGlobalPose,
  FindWorkspace,
  FrameSelection,
  FrameAll,  ///< keeps the direction of the view
  ViewHome,  ///< the view with which a file opens
  ViewFront,
  ViewBack,
  ViewRight,
  ViewLeft,
  ViewTop,
  ViewBottom,
  TurnViewLeft,  ///< moves the eye by 15 degrees
  TurnViewRight,
  TurnViewUp,
  TurnViewDown,
  ToggleOrthographic,
  ToggleTree,
  TogglePanels,
  NextSkinView,     ///< skin, figure in the skin, figure
  ToggleReference,  ///< shows or hides the reference picture
  LookThroughReference,
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
  KeyGoals,  ///< keys the selected goal, or all goals
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
  OpenMenu,  ///< opens the first menu, for the keyboard
  Cancel,    ///< must be last
};
inline constexpr int kActionCount = static_cast<int>(Action::Cancel) + 1;

/// The action of a key press; nothing for keys without one. Letters are those of the user's layout.
std::optional<Action> actionOf(const KeyPress& press, KeyPreset preset = KeyPreset::Limber);

/// The action of a key press during a drag, if it has a different one there.
std::optional<Action> dragActionOf(const KeyPress& press);

/// The action of a typed character: [ ] . , and what Shift makes of . and , on common layouts (> < : ;).
std::optional<Action> actionOf(const Typed& typed, KeyPreset preset = KeyPreset::Limber);

/// The key that menus and hints name, such as "Ctrl+Z"; empty if the action has none.
std::string keyOf(Action action, KeyPreset preset);

/// All chords that have an action in the preset.
std::vector<Chord> boundChords(KeyPreset preset);

/// True if holding the key repeats the action.
bool repeats(Action action);

/// The name for people: "Limber", "Blender", "Maya and Unity".
const char* titleOf(KeyPreset preset);

/// One line of the sheet of keys.
struct KeyLine {
  std::string_view section;
  std::vector<std::string> keys;  ///< names of keys, or mouse gestures
  std::string_view what;
  std::vector<Action> actions;  ///< of the keys; empty for mouse gestures
};
std::vector<KeyLine> keySheet(KeyPreset preset, Scrolling scrolling);

}  // namespace limber::app
