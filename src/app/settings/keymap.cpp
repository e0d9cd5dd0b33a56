// SPDX-License-Identifier: MIT
#include "app/settings/keymap.h"

#include <algorithm>
#include <initializer_list>

#include "app/settings/navigation.h"

namespace limber::app {

namespace {

struct KeyBinding {
  Action action;
  Chord chord;
  unsigned presets = kInAll;
};

constexpr Chord on(char letter, unsigned held = 0) { return {Key::Letter, letter, held}; }
constexpr Chord on(Key key, unsigned held = 0) { return {key, 0, held}; }
/// In the row above the letters or on the number pad.
constexpr Chord onDigit(char digit, unsigned held = 0) { return {Key::Digit, digit, held}; }
constexpr Chord typed(char32_t sign) { return {.sign = sign}; }
constexpr Chord whateverIsHeld(Key key) { return {.key = key, .isWhatever = true}; }

// Where an action has several keys, menus and hints name the first. Space, . and , are the same in all presets; R is
// the rest pose only where the preset does not use R otherwise.
constexpr KeyBinding kBindings[] = {
    {Action::ToggleMode, on(Key::Space)},
    {Action::TurnUp, typed(U'.')},
    {Action::TurnDown, typed(U',')},
    {Action::TurnUpFine, typed(U'>')},
    {Action::TurnUpFine, typed(U':')},
    {Action::TurnDownFine, typed(U'<')},
    {Action::TurnDownFine, typed(U';')},
    {Action::RestPose, on('r'), kInLimber},
    {Action::RestPose, on('r', kCtrl | kAlt), kInBlender | kInMaya},
    {Action::NextJoint, on(Key::Tab)},
    {Action::PreviousJoint, on(Key::Tab, kShift)},
    {Action::MirrorPose, on('m')},
    {Action::FlipPose, on('m', kShift)},
    {Action::ToggleSymmetry, on('m', kCtrl)},
    {Action::LockJoint, on('l')},
    {Action::Pin, on('p')},
    {Action::PinPosition, on('p', kShift)},
    {Action::PinRotation, on('p', kCtrl)},
    {Action::DeleteGoal, on('x'), kInBlender},
    {Action::DeleteGoal, on(Key::Delete)},
    {Action::ToggleFollow, on('t'), kInLimber | kInMaya},
    {Action::ToggleFollow, on('t', kAlt), kInBlender},
    {Action::Solve, on('s'), kInLimber | kInBlender},
    {Action::Solve, on('g'), kInMaya},
    {Action::FindAnyPose, on('s', kShift), kInLimber | kInBlender},
    {Action::FindAnyPose, on('g', kCtrl), kInMaya},
    {Action::FindGlobalPose, on('g', kShift)},
    {Action::FindWorkspace, on('w', kShift)},
    {Action::Nudge, on('n', kShift)},
    {Action::RelaxRest, on('n'), kInLimber | kInMaya},
    {Action::RelaxRest, on('n', kAlt), kInBlender},
    {Action::PoseFromTargets, on('b', kShift)},
    {Action::ToggleBalance, on('b')},
    {Action::Grab, on('g'), kInBlender},
    {Action::Rotate, on('r'), kInBlender},
    {Action::ClearPlace, on('g', kAlt)},
    {Action::ClearRotation, on('r', kAlt)},
    {Action::MoveTool, on('w')},
    {Action::TurnTool, on('e')},
    {Action::SelectTool, on('q')},
    {Action::ToggleAxes, on('a'), kInLimber | kInBlender},
    {Action::ToggleAxes, on('x'), kInMaya},

    {Action::FrameSelection, on('f')},
    {Action::FrameSelection, {Key::Numpad, '.'}, kInBlender},
    {Action::FrameAll, on('f', kShift), kInLimber},
    {Action::FrameAll, on(Key::Home), kInBlender},
    {Action::FrameAll, on('a'), kInMaya},
    {Action::ViewHome, on(Key::Home), kInLimber | kInMaya},
    {Action::ViewHome, onDigit('0')},
    {Action::ViewFront, onDigit('1')},
    {Action::ViewBack, onDigit('1', kCtrl)},
    {Action::ViewRight, onDigit('3')},
    {Action::ViewLeft, onDigit('3', kCtrl)},
    {Action::ViewTop, onDigit('7')},
    {Action::ViewBottom, onDigit('7', kCtrl)},
    {Action::TurnViewLeft, onDigit('4')},
    {Action::TurnViewRight, onDigit('6')},
    {Action::TurnViewUp, onDigit('8')},
    {Action::TurnViewDown, onDigit('2')},
    {Action::ToggleOrthographic, onDigit('5')},
    {Action::NextSkinView, on('x'), kInLimber},
    {Action::NextSkinView, on('v'), kInBlender | kInMaya},
    {Action::ToggleReference, on('h')},
    {Action::LookThroughReference, on('h', kShift)},
    {Action::ToggleTree, on('t'), kInBlender},
    {Action::ToggleTree, on('t', kCtrl), kInLimber | kInMaya},
    {Action::TogglePanels, on('n'), kInBlender},
    {Action::TogglePanels, on('t', kCtrl | kShift), kInLimber | kInMaya},
    {Action::ToggleRace, on('c')},
    {Action::RaceStepBack, typed(U'[')},
    {Action::RaceStepForward, typed(U']')},

    {Action::ToggleTimeline, on('t', kShift)},
    {Action::PlayOrPause, on('v', kAlt), kInMaya},
    {Action::PlayOrPause, on(Key::Enter)},
    {Action::FrameBack, on(Key::Left)},
    {Action::FrameForward, on(Key::Right)},
    {Action::PreviousKey, on(Key::Down), kInBlender},
    {Action::PreviousKey, on(Key::Left, kShift)},
    {Action::NextKey, on(Key::Up), kInBlender},
    {Action::NextKey, on(Key::Right, kShift)},
    {Action::KeyPose, on('i'), kInBlender},
    {Action::KeyPose, on('s'), kInMaya},
    {Action::KeyPose, on('k')},
    {Action::KeyGoals, on('i', kShift), kInBlender},
    {Action::KeyGoals, on('s', kShift), kInMaya},
    {Action::KeyGoals, on('k', kShift)},
    {Action::RemoveKey, on('i', kAlt), kInBlender},
    {Action::RemoveKey, on('k', kCtrl)},

    {Action::Undo, on('z', kCtrl)},
    {Action::Undo, on('z'), kInMaya},
    {Action::Redo, on('z', kCtrl | kShift)},
    {Action::Redo, on('y', kCtrl)},
    {Action::Redo, on('z', kShift), kInMaya},
    {Action::New, on('n', kCtrl)},
    {Action::Open, on('o', kCtrl)},
    {Action::Save, on('s', kCtrl)},
    {Action::SaveAs, on('s', kCtrl | kShift)},
    {Action::Export, on('e', kCtrl)},
    {Action::CopyPose, on('c', kCtrl)},
    {Action::PastePose, on('v', kCtrl)},
    {Action::Quit, on('q', kCtrl)},
    {Action::Help, on(Key::F1)},
    {Action::OpenMenu, on(Key::Alt)},
    {Action::OpenMenu, on(Key::F10)},
    {Action::Cancel, whateverIsHeld(Key::Escape)},  // during a drag Shift and Ctrl have meanings of their own
};

// Keys that mean something else during a drag.
constexpr KeyBinding kDragBindings[] = {
    {Action::LockX, on('x')},
    {Action::LockY, on('y')},
    {Action::LockZ, on('z')},
    {Action::LockPlaneX, on('x', kShift)},
    {Action::LockPlaneY, on('y', kShift)},
    {Action::LockPlaneZ, on('z', kShift)},
    {Action::LetTurn, on('o')},
};

/// A line of the sheet: what the keys of `actions` do, or the mouse gesture `way`.
struct SheetLine {
  std::string_view section;
  std::initializer_list<Action> actions;
  std::string_view what;
  std::string_view way = {};
};

const SheetLine kSheet[] = {
    {"Pose", {Action::ToggleMode}, "switch between forward and inverse kinematics"},
    {"Pose", {Action::TurnUp, Action::TurnDown}, "turn the selected joint by +5 or -5 degrees (forward)"},
    {"Pose", {Action::TurnUpFine, Action::TurnDownFine}, "the same by 1 degree"},
    {"Pose", {Action::NextJoint, Action::PreviousJoint}, "next, previous joint (forward)"},
    {"Pose", {Action::RestPose}, "rest pose; the targets move along"},
    {"Pose", {Action::MirrorPose}, "mirror the selected side, else the left one, to the other side"},
    {"Pose", {Action::FlipPose}, "flip: exchange both sides"},
    {"Pose", {Action::ToggleSymmetry}, "live symmetry: both sides are posed alike"},
    {"Pose", {}, "step through the library", "Arrows in the panel Poses"},
    {"Pose", {Action::LockJoint}, "lock or unlock the selection: a part with all its joints"},
    {"Pose", {Action::Pin}, "pin the dragged link or the selected part where it is, or unpin it"},
    {"Pose", {Action::PinPosition, Action::PinRotation}, "the same for its position only, its rotation only"},
    {"Pose", {Action::ToggleFollow}, "follow: the target follows the mouse, a click plants it"},
    {"Pose", {Action::Solve}, "solve: pose the figure for all goals"},
    {"Pose", {Action::PoseFromTargets}, "pose a whole body from the planted targets"},
    {"Pose", {Action::RelaxRest}, "relax the rest: joints that no goal holds take a natural pose"},
    {"Pose", {Action::Nudge}, "nudge: a slight push, kept if a better pose is found"},
    {"Pose", {Action::FindAnyPose}, "find any pose that meets the goals, from random starts too"},
    {"Pose", {Action::FindGlobalPose}, "search for the best pose of all in the background, with a proof"},
    {"Pose", {Action::FindWorkspace}, "map where the selected end effector can go, in the background"},
    {"Pose", {Action::ToggleBalance}, "keep balance: the centre of mass stays above the planted feet"},
    {"Pose",
     {Action::Grab, Action::Rotate},
     "grab, rotate the selection with the mouse; a click accepts, a right click or Esc cancels"},
    {"Pose",
     {Action::ClearPlace, Action::ClearRotation},
     "clear the position, the rotation of the selection; of all joints if nothing is selected"},
    {"Pose",
     {Action::MoveTool, Action::TurnTool, Action::SelectTool},
     "move gizmo, rotate gizmo, none; again: world or local axes"},
    {"Pose", {Action::ToggleAxes}, "axes of gizmos and locks: world or local"},
    {"Pose", {Action::DeleteGoal}, "remove the selected goal or obstacle"},
    {"Mouse", {}, "pull the link or the target (inverse)", "Left drag on the figure"},
    {"Mouse", {}, "select the part; again: its finger or link; or the target", "Click"},
    {"Mouse", {}, "add a part to the selection, or remove it", "Shift+click"},
    {"Mouse", {}, "add the parts in a box to the selection", kBoxWay},
    {"Mouse", {}, "turn the selection, in both modes", "Left drag on a ring"},
    {"Mouse", {Action::Cancel}, "cancel the drag; without one, stop what is running", "Right click"},
    {"Drag", {Action::LockX, Action::LockY, Action::LockZ}, "only along that axis; again: free"},
    {"Drag", {Action::LockPlaneX, Action::LockPlaneY, Action::LockPlaneZ}, "in the plane normal to it"},
    {"Drag", {Action::LetTurn}, "a dragged pelvis or chest turns; again: it keeps its orientation"},
    {"Drag", {}, "fewer or more joints follow", "Wheel"},
    {"Drag", {}, "farther from the eye or nearer", "Ctrl+wheel"},
    {"Drag", {}, "in coarse steps; with Shift in fine ones", "Ctrl"},
    {"Drag", {}, "the exact distance or angle; Enter accepts it", "0 to 9  .  -"},
    {"View", {Action::FrameSelection}, "frame the selection"},
    {"View", {Action::FrameAll}, "frame everything, without turning the view"},
    {"View", {Action::ViewHome}, "the view that a file opens with"},
    {"View", {Action::ViewFront, Action::ViewRight, Action::ViewTop}, "from the front, the right, above"},
    {"View", {Action::ViewBack, Action::ViewLeft, Action::ViewBottom}, "from the back, the left, below"},
    {"View",
     {Action::TurnViewLeft, Action::TurnViewRight, Action::TurnViewUp, Action::TurnViewDown},
     "turn the view by 15 degrees to the left, right, up, down"},
    {"View", {Action::ToggleOrthographic}, "perspective or orthographic"},
    {"View", {Action::NextSkinView}, "skin alone, the figure shown through it, the figure alone"},
    {"View", {Action::ToggleReference}, "show or hide the reference picture"},
    {"View", {Action::LookThroughReference}, "look through the camera of the reference picture, or no longer"},
    {"View", {Action::ToggleTree, Action::TogglePanels}, "show or hide the tree, the panels"},
    {"View", {Action::ToggleRace}, "race: compare solvers on the same drag, as ghosts"},
    {"View", {Action::RaceStepBack, Action::RaceStepForward}, "race: one iteration back, forward"},
    {"Time", {Action::ToggleTimeline}, "the timeline below the picture"},
    {"Time", {Action::PlayOrPause}, "play, pause"},
    {"Time", {Action::FrameBack, Action::FrameForward}, "one frame back, forward"},
    {"Time", {Action::PreviousKey, Action::NextKey}, "to the previous key, the next key"},
    {"Time", {Action::KeyPose}, "key the pose at the present time"},
    {"Time", {Action::KeyGoals}, "key the selected goal, or all goals"},
    {"Time", {Action::RemoveKey}, "remove the key at the present time"},
    {"Time", {}, "add a point to it; Delete removes the chosen one", "Ctrl+click on a path"},
    {"File", {Action::New, Action::Open}, "new, open"},
    {"File", {Action::Save, Action::SaveAs}, "save, save as"},
    {"File", {Action::Export}, "export the pose or motion: BVH, joint states, ..."},
    {"File", {Action::CopyPose, Action::PastePose}, "copy the pose as text, paste one or a picture"},
    {"File", {Action::Undo}, "undo"},
    {"File", {Action::Redo}, "redo"},
    {"File", {Action::Quit}, "quit"},
    {"File", {Action::Help}, "this sheet"},
    {"File", {Action::OpenMenu}, "open the menus; use arrows, Enter and Esc there"},
    {"File", {}, "open a menu by its first letter", "Alt+F, E, ..."},
};

bool isPressed(const Chord& chord, const KeyPress& press) {
  const bool hasLetter = chord.key == Key::Letter || chord.key == Key::Digit || chord.key == Key::Numpad;
  const bool isKey = chord.key == press.key || (chord.key == Key::Digit && press.key == Key::Numpad);
  return !chord.sign && isKey && (!hasLetter || chord.letter == press.letter) &&
         (chord.isWhatever || chord.held == heldOf(press.modifiers));
}

/// The keys of the actions, each text once.
std::vector<std::string> keysOf(std::initializer_list<Action> actions, KeyPreset preset) {
  std::vector<std::string> keys;
  const auto add = [&](const KeyBinding& binding, Action action) {
    if (binding.action != action || !(binding.presets & maskOf(preset))) return;
    std::string text = chordText(binding.chord);
    if (std::ranges::find(keys, text) == keys.end()) keys.push_back(std::move(text));
  };
  for (const Action action : actions) {
    for (const KeyBinding& binding : kBindings) add(binding, action);
    for (const KeyBinding& binding : kDragBindings) add(binding, action);
  }
  return keys;
}

void appendMouse(std::vector<KeyLine>& lines, KeyPreset preset, Scrolling scrolling) {
  for (GestureLine& line : gestureLines(preset, scrolling))
    lines.push_back({"Mouse", std::move(line.ways), line.what, {}});
}

}  // namespace

std::optional<Action> actionOf(const KeyPress& press, KeyPreset preset) {
  for (const KeyBinding& binding : kBindings)
    if ((binding.presets & maskOf(preset)) && isPressed(binding.chord, press)) return binding.action;
  return std::nullopt;
}

std::optional<Action> dragActionOf(const KeyPress& press) {
  for (const KeyBinding& binding : kDragBindings)
    if (isPressed(binding.chord, press)) return binding.action;
  return std::nullopt;
}

std::optional<Action> actionOf(const Typed& typed, KeyPreset preset) {
  // A key of the number pad that has an action of its own does not count as a typed character.
  const KeyPress pad{Key::Numpad, static_cast<char>(typed.character < 128 ? typed.character : 0), {}, false};
  if (typed.isNumpad && actionOf(pad, preset)) return std::nullopt;
  for (const KeyBinding& binding : kBindings)
    if ((binding.presets & maskOf(preset)) && binding.chord.sign && binding.chord.sign == typed.character)
      return binding.action;
  return std::nullopt;
}

std::string keyOf(Action action, KeyPreset preset) {
  const std::vector<std::string> keys = keysOf({action}, preset);
  return keys.empty() ? std::string() : keys.front();
}

std::vector<Chord> boundChords(KeyPreset preset) {
  std::vector<Chord> chords;
  for (const KeyBinding& binding : kBindings)
    if (binding.presets & maskOf(preset)) chords.push_back(binding.chord);
  return chords;
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
    case Action::TurnViewLeft:
    case Action::TurnViewRight:
    case Action::TurnViewUp:
    case Action::TurnViewDown:
    case Action::Undo:
    case Action::Redo: return true;
    default: return false;
  }
}

const char* titleOf(KeyPreset preset) {
  switch (preset) {
    case KeyPreset::Limber: return "Limber";
    case KeyPreset::Blender: return "Blender";
    case KeyPreset::Maya: return "Maya and Unity";
  }
  return "";
}

std::vector<KeyLine> keySheet(KeyPreset preset, Scrolling scrolling) {
  std::vector<KeyLine> lines;
  for (const SheetLine& line : kSheet) {
    const bool endsMouse = !lines.empty() && lines.back().section == "Mouse" && line.section != "Mouse";
    if (endsMouse) appendMouse(lines, preset, scrolling);
    std::vector<std::string> keys = keysOf(line.actions, preset);
    if (!line.way.empty()) keys.insert(keys.begin(), std::string(line.way));
    if (!keys.empty()) lines.push_back({line.section, std::move(keys), line.what, line.actions});
  }
  return lines;
}

}  // namespace limber::app
