// SPDX-License-Identifier: MIT
// The table of commands: the name of each, its menu item, its keys, its effect on a running drag, its recording, and
// its function. app/session/command_table.cpp has the rows, app/stage/keymap.cpp finds their keys.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/editing/command.h"
#include "app/settings/chord.h"

namespace limber::app {

struct Session;
struct Stage;

struct KeyBinding {
  Chord chord;
  unsigned presets = kInAll;

  constexpr KeyBinding in(unsigned somePresets) const { return {chord, somePresets}; }
  constexpr bool isSet() const { return chord != Chord(); }
};

/// Menus and hints name the first one of a preset.
using Keys = std::array<KeyBinding, 3>;

/// A group of menu items; groups are separated by lines. The menu bar (app/panels/menu_bar.cpp) arranges the groups.
enum class Menu {
  None,
  Open,
  Save,
  Import,
  Quit,
  Clipboard,
  Gizmos,
  Reset,
  Mirror,
  Solve,
  HumanLimits,
  Modes,
  Frame,
  LookFrom,
  TurnView,
  Projection,
  Parts,
  Search,
  Checks,
  Help,
  Record
};

// Flags: whether a command is possible during a drag, its effect on a target that follows the mouse, and its recording.
// Without flags, a command is refused during a drag, ends the follow (the target keeps its place), and a replay
// performs it.
inline constexpr unsigned kInDrags = 1;       ///< possible during a drag; a following target continues
inline constexpr unsigned kPausesFollow = 2;  ///< as kInDrags, but a following target pauses until the mouse moves
inline constexpr unsigned kInGrabs = 4;       ///< possible during a grab, which needs no mouse button
inline constexpr unsigned kDragKey = 8;       ///< the keys have this meaning during a drag only
inline constexpr unsigned kRepeats = 16;      ///< repeated while its key is held
/// Only the command's changes are recorded: a replay writes no files, and reads only the files that were opened.
inline constexpr unsigned kEffectOnly = 32;
/// The resulting document is recorded, too, because a replay lacks the undo steps from before the recording.
inline constexpr unsigned kWithResult = 64;

/// How menus and buttons show a command.
struct CommandItem {
  Menu menu = Menu::None;
  const char* label = "";
  const char* tip = "";
  bool (*isOn)(const Session&) = nullptr;        ///< for a check mark
  bool (*isPossible)(const Session&) = nullptr;  ///< null: always
};

/// A line of the sheet of keys.
struct SheetPlace {
  const char* section = nullptr;
  const char* what = nullptr;  ///< effect of the keys; null: they are in the line of the preceding command
};

/// Performs a command; `noArgument` makes an empty argument of its type. A command that takes a file asks for one if it
/// has none.
struct CommandRun {
  void (*function)(Session&, const Argument&) = nullptr;
  Argument (*noArgument)() = nullptr;
};

struct CommandInfo {
  Command command = {};
  CommandRun run = {};
  CommandItem item = {};
  Keys keys = {};
  SheetPlace sheet = {};
  unsigned flags = 0;

  bool has(unsigned flag) const { return (flags & flag) != 0; }
  bool takesFile() const { return std::holds_alternative<std::filesystem::path>(run.noArgument()); }
};

const CommandInfo& infoOf(Command command);
std::span<const CommandInfo> allCommands();

/// The command of a key press; empty for keys without a command. Letters are those of the user's layout.
std::optional<Command> commandOf(const KeyPress& press, KeyPreset preset = KeyPreset::Limber);

/// The command of a key press during a drag, if it has a different one there.
std::optional<Command> dragCommandOf(const KeyPress& press);

/// The command of a typed character: [ ] . , and the characters of Shift with . and , on common layouts (> < : ;).
std::optional<Command> commandOf(const Typed& typed, KeyPreset preset = KeyPreset::Limber);

/// The key that menus and hints name, such as "Ctrl+Z"; empty if the command has none.
std::string keyOf(Command command, KeyPreset preset);
/// The same in the preset of the settings.
std::string keyIn(const Stage& stage, Command command);

/// All chords that have a command in the preset.
std::vector<Chord> boundChords(KeyPreset preset);

/// The displayed name: "Limber", "Blender", "Maya and Unity".
const char* titleOf(KeyPreset preset);

/// One line of the sheet of keys.
struct KeyLine {
  std::string_view section;
  std::vector<std::string> keys;  ///< names of keys, or mouse gestures
  std::string_view what;
  std::vector<Command> commands;  ///< of the keys; empty for mouse gestures
};
std::vector<KeyLine> keySheet(KeyPreset preset, Scrolling scrolling);

}  // namespace limber::app
