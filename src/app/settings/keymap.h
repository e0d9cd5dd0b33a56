// SPDX-License-Identifier: MIT
// Which key asks for what, in each preset: one table, which the sheet of all keys (F1), the menus and hints read.
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
  TurnUp,        ///< +5 degrees (0.05 m)
  TurnDown,
  TurnUpFine,    ///< +1 degree (0.01 m)
  TurnDownFine,
  RestPose,
  MirrorPose,      ///< the selected side, else the left one, to the other
  FlipPose,        ///< both sides exchanged
  ToggleSymmetry,  ///< both sides posed alike
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
  Grab,          ///< what is selected follows the mouse until a click accepts it
  Rotate,        ///< it turns likewise
  ClearPlace,    ///< of what is selected, or of all joints: as at rest
  ClearRotation,
  ToggleAxes,    ///< of gizmos and locks: the world's or what is selected has
  LockX,         ///< of a drag: along the axis alone; again: free
  LockY,
  LockZ,
  LockPlaneX,    ///< in the plane across the axis
  LockPlaneY,
  LockPlaneZ,
  LetTurn,       ///< of a drag of a trunk: it turns along, or keeps its orientation
  Nudge,
  PoseFromTargets,  ///< a whole body, from what is planted
  RelaxRest,        ///< what nothing holds stands as people do
  FindAnyPose,
  FindGlobalPose,
  FindWorkspace,
  FrameSelection,
  FrameAll,           ///< as it is looked at
  ViewHome,           ///< as a file opens
  ViewFront,
  ViewBack,
  ViewRight,
  ViewLeft,
  ViewTop,
  ViewBottom,
  TurnViewLeft,       ///< the eye moves there, by 15 degrees
  TurnViewRight,
  TurnViewUp,
  TurnViewDown,
  ToggleOrthographic,
  ToggleTree,
  TogglePanels,
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
  OpenMenu,  ///< the first of the menu bar; the keyboard leads on from there
  Cancel,  ///< the last
};
inline constexpr int kActionCount = static_cast<int>(Action::Cancel) + 1;

/// What a key press asks for; nothing for keys without a meaning. Letters are those of the user's layout.
std::optional<Action> actionOf(const KeyPress& press, KeyPreset preset = KeyPreset::Limber);

/// What it asks for while something is dragged, where this is something else.
std::optional<Action> dragActionOf(const KeyPress& press);

/// The same for typed characters: . and , and what Shift makes of them on the common layouts (> < : ;).
std::optional<Action> actionOf(const Typed& typed, KeyPreset preset = KeyPreset::Limber);

/// The key that a menu or a hint names: "Ctrl+Z", "F"; empty where there is none.
std::string keyOf(Action action, KeyPreset preset);

/// All that have a meaning.
std::vector<Chord> boundChords(KeyPreset preset);

/// True for those that a held key repeats.
bool repeats(Action action);

/// "Limber", "Blender", "Maya and Unity".
const char* titleOf(KeyPreset preset);

/// One line of the sheet of keys.
struct KeyLine {
  std::string_view section;
  std::vector<std::string> keys;  ///< each as on a key cap, or a way of the mouse
  std::string_view what;
  std::vector<Action> actions;    ///< that the keys ask for; empty for the mouse
};
std::vector<KeyLine> keySheet(KeyPreset preset, Scrolling scrolling);

}  // namespace limber::app
