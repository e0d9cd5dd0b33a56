// SPDX-License-Identifier: MIT
#include "app/keymap.h"

namespace limber::app {

namespace {

constexpr KeyLine kSheet[] = {
    {"Pose", "Space", "switch between forward and inverse kinematics"},
    {"Pose", ".  ,", "turn the selected joint by +5 or -5 degrees (forward)"},
    {"Pose", "Shift + .  ,", "the same by 1 degree"},
    {"Pose", "Tab, Shift + Tab", "next, previous joint (forward)"},
    {"Pose", "R", "rest pose, targets along"},
    {"Pose", "L", "lock or unlock the selected joint"},
    {"Pose", "P", "pin the dragged or selected link where it is, or let it go"},
    {"Pose", "Shift + P, Ctrl + P", "the same for its position, its rotation alone"},
    {"Pose", "T", "follow: the target follows the mouse, a click plants it"},
    {"Pose", "S", "solve: pose the figure for what is planted"},
    {"Pose", "N", "nudge: a slight push, kept if a better pose is found"},
    {"Pose", "Shift + S", "find any pose that meets the goals, from random starts too"},
    {"Pose", "Shift + G", "search the global pose beside the window, and prove how good it is"},
    {"Pose", "Shift + W", "map where the selected end effector can go, beside the window"},
    {"Pose", "B", "keep balance: the centre of mass stays above the planted feet"},
    {"Pose", "W, E, Q", "move gizmo, rotate gizmo, neither; W or E again: world or local axes"},
    {"Pose", "A", "axes of gizmos and locks: the world's, or those of what is selected"},
    {"Pose", "Delete", "remove the selected goal or obstacle"},
    {"Mouse", "Left drag on the figure", "pull the link or the target (inverse)"},
    {"Mouse", "Click", "select the joint, which shows its rings, or the target"},
    {"Mouse", "Left drag on a ring", "turn the selected joint, in both modes"},
    {"Mouse", "Right click, Esc", "during a drag: cancel it exactly"},
    {"Mouse", "X, Y, Z", "during a drag: along that axis alone; with Shift in the plane across it; again: free"},
    {"Mouse", "Wheel", "during a drag: fewer or more joints follow"},
    {"Mouse", "Ctrl + wheel", "during a drag: away from the eye or nearer"},
    {"Mouse", "Ctrl, Shift", "during a drag: in coarse steps, in fine ones"},
    {"Mouse", "0 to 9  .  -", "during a drag: the exact distance or angle; Enter accepts it"},
    {"Mouse", "Left drag beside it", "orbit"},
    {"Mouse", "Middle drag", "orbit; with Shift: pan"},
    {"Mouse", "Wheel", "zoom to the cursor"},
    {"Mouse", "Alt + left, middle, right", "orbit, pan, zoom"},
    {"View", "F", "frame the selection"},
    {"View", "Home", "frame all"},
    {"View", "X", "skin alone, the figure shown through it, the figure alone"},
    {"View", "C", "race: compare solvers on the same drag, as ghosts"},
    {"View", "[  ]", "race: one iteration back, forward"},
    {"Time", "Shift + T", "the timeline below the picture"},
    {"Time", "Enter", "play, pause"},
    {"Time", "Left, Right", "one frame back, forward"},
    {"Time", "Shift + Left, Right", "to the key before, the next key"},
    {"Time", "K", "key the pose at the present time"},
    {"Time", "Shift + K", "key the selected goal, or all goals"},
    {"Time", "Ctrl + K", "remove the key at the present time"},
    {"Time", "Ctrl + click on a path", "add a point to it; Delete removes the chosen one"},
    {"File", "Ctrl + N, O", "new, open"},
    {"File", "Ctrl + S, Ctrl + Shift + S", "save, save as"},
    {"File", "Ctrl + E", "export the pose or motion: BVH, joint states, ..."},
    {"File", "Ctrl + C, V", "copy the pose as text, paste one"},
    {"File", "Ctrl + Z", "undo"},
    {"File", "Ctrl + Shift + Z, Ctrl + Y", "redo"},
    {"File", "Ctrl + Q", "quit"},
    {"File", "F1", "this sheet"},
};

std::optional<Action> withControl(char letter, bool shift) {
  switch (letter) {
    case 'z': return shift ? Action::Redo : Action::Undo;
    case 'y': return Action::Redo;
    case 'n': return Action::New;
    case 'o': return Action::Open;
    case 's': return shift ? Action::SaveAs : Action::Save;
    case 'e': return Action::Export;
    case 'c': return Action::CopyPose;
    case 'v': return Action::PastePose;
    case 'q': return Action::Quit;
    case 'k': return shift ? std::nullopt : std::optional(Action::RemoveKey);
    case 'p': return shift ? std::nullopt : std::optional(Action::PinRotation);
    default: return std::nullopt;
  }
}

std::optional<Action> plainLetter(char letter) {
  switch (letter) {
    case 'r': return Action::RestPose;
    case 'l': return Action::LockJoint;
    case 'p': return Action::Pin;
    case 'f': return Action::FrameSelection;
    case 't': return Action::ToggleFollow;
    case 's': return Action::Solve;
    case 'n': return Action::Nudge;
    case 'k': return Action::KeyPose;
    case 'b': return Action::ToggleBalance;
    case 'x': return Action::NextSkinView;
    case 'c': return Action::ToggleRace;
    case 'w': return Action::MoveTool;
    case 'e': return Action::TurnTool;
    case 'q': return Action::SelectTool;
    case 'a': return Action::ToggleAxes;
    default: return std::nullopt;
  }
}

std::optional<Action> shiftedLetter(char letter) {
  switch (letter) {
    case 'p': return Action::PinPosition;
    case 's': return Action::FindAnyPose;
    case 'g': return Action::FindGlobalPose;
    case 't': return Action::ToggleTimeline;
    case 'k': return Action::KeyGoals;
    case 'w': return Action::FindWorkspace;
    default: return std::nullopt;
  }
}

}  // namespace

std::optional<Action> actionOf(const KeyPress& press) {
  const Modifiers& held = press.modifiers;
  if (press.key == Key::Letter && held.control && !held.alt) return withControl(press.letter, held.shift);
  if (held.control || held.alt) return std::nullopt;
  switch (press.key) {
    case Key::Letter: return held.shift ? shiftedLetter(press.letter) : plainLetter(press.letter);
    case Key::Space: return Action::ToggleMode;
    case Key::Tab: return held.shift ? Action::PreviousJoint : Action::NextJoint;
    case Key::Enter: return Action::PlayOrPause;
    case Key::Left: return held.shift ? Action::PreviousKey : Action::FrameBack;
    case Key::Right: return held.shift ? Action::NextKey : Action::FrameForward;
    case Key::Escape: return Action::Cancel;
    case Key::Delete: return Action::DeleteGoal;
    case Key::Home: return Action::FrameAll;
    case Key::F1: return Action::Help;
    default: return std::nullopt;
  }
}

std::optional<Action> dragActionOf(const KeyPress& press) {
  if (press.key != Key::Letter || press.modifiers.control || press.modifiers.alt) return std::nullopt;
  switch (press.letter) {
    case 'x': return press.modifiers.shift ? Action::LockPlaneX : Action::LockX;
    case 'y': return press.modifiers.shift ? Action::LockPlaneY : Action::LockY;
    case 'z': return press.modifiers.shift ? Action::LockPlaneZ : Action::LockZ;
    default: return std::nullopt;
  }
}

std::optional<Action> actionOf(const Typed& typed) {
  switch (typed.character) {
    case U'.': return Action::TurnUp;
    case U',': return Action::TurnDown;
    case U'>':
    case U':': return Action::TurnUpFine;
    case U'<':
    case U';': return Action::TurnDownFine;
    case U'[': return Action::RaceStepBack;
    case U']': return Action::RaceStepForward;
    default: return std::nullopt;
  }
}

bool repeats(Action action) {
  switch (action) {
    case Action::TurnUp:
    case Action::TurnDown:
    case Action::TurnUpFine:
    case Action::TurnDownFine:
    case Action::NextJoint:
    case Action::PreviousJoint:
    case Action::FrameBack:
    case Action::FrameForward:
    case Action::Undo:
    case Action::Redo: return true;
    default: return false;
  }
}

std::span<const KeyLine> keySheet() { return kSheet; }

}  // namespace limber::app
