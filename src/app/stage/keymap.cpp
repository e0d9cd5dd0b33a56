// SPDX-License-Identifier: MIT
// The keys of commands, and the sheet that lists them with the gestures of the mouse.
#include <algorithm>

#include "app/settings/navigation.h"
#include "app/stage/commands.h"
#include "app/stage/stage.h"

namespace limber::app {

namespace {

/// A line of the sheet for a gesture of the mouse, and for the command that has the same meaning.
struct MouseLine {
  std::string_view section, way, what;
  std::optional<Command> command = {};
};

constexpr MouseLine kMouseLines[] = {
    {"Pose", "Arrows in the panel Poses", "step through the library"},
    {"Mouse", "Left drag on the figure", "pull the link or the target (inverse)"},
    {"Mouse", "Click", "select the part; again: its finger or link; or the target"},
    {"Mouse", "Shift+click", "add a part to the selection, or remove it"},
    {"Mouse", kBoxWay, "add the parts in a box to the selection"},
    {"Mouse", "Left drag on a ring", "turn the selection, in both modes"},
    {"Mouse", "Right click", "cancel the drag; without one, stop what is running", Command::Cancel},
    {"Drag", "Wheel", "fewer or more joints follow"},
    {"Drag", "Ctrl+wheel", "farther from the eye or nearer"},
    {"Drag", "Ctrl", "in coarse steps; with Shift in fine ones"},
    {"Drag", "0 to 9  .  -", "the exact distance or angle; Enter accepts it"},
    {"Time", "Ctrl+click on a path", "add a point to it; Delete removes the chosen one"},
    {"File", "Alt+F, E, ...", "open a menu by its first letter"},
};

constexpr std::string_view kSections[] = {"Pose", "Mouse", "Drag", "View", "Time", "File"};

/// Calls `visit(info, chord)` for each key of the preset.
template <typename Visit>
void visitKeys(KeyPreset preset, Visit visit) {
  for (const CommandInfo& info : allCommands())
    for (const KeyBinding& binding : info.keys)
      if (binding.isSet() && (binding.presets & maskOf(preset))) visit(info, binding.chord);
}

/// The command of the first key outside drags (or, if `isDragKey`, inside them) for which `isMeant(chord)`.
template <typename IsMeant>
std::optional<Command> findKey(KeyPreset preset, bool isDragKey, IsMeant isMeant) {
  std::optional<Command> found;
  visitKeys(preset, [&](const CommandInfo& info, const Chord& chord) {
    if (!found && info.has(kDragKey) == isDragKey && isMeant(chord)) found = info.command;
  });
  return found;
}

bool isPressed(const Chord& chord, const KeyPress& press) {
  const bool hasLetter = chord.key == Key::Letter || chord.key == Key::Digit || chord.key == Key::Numpad;
  const bool isKey = chord.key == press.key || (chord.key == Key::Digit && press.key == Key::Numpad);
  return !chord.sign && isKey && (!hasLetter || chord.letter == press.letter) &&
         (chord.isWhatever || chord.held == heldOf(press.modifiers));
}

/// Adds the keys of a command to a line, each text once.
void addKeys(KeyLine& line, Command command, KeyPreset preset) {
  line.commands.push_back(command);
  visitKeys(preset, [&](const CommandInfo& info, const Chord& chord) {
    const std::string text = chordText(chord);
    if (info.command == command && std::ranges::find(line.keys, text) == line.keys.end()) line.keys.push_back(text);
  });
}

}  // namespace

std::optional<Command> commandOf(const KeyPress& press, KeyPreset preset) {
  return findKey(preset, false, [&](const Chord& chord) { return isPressed(chord, press); });
}

std::optional<Command> dragCommandOf(const KeyPress& press) {
  return findKey(KeyPreset::Limber, true, [&](const Chord& chord) { return isPressed(chord, press); });
}

std::optional<Command> commandOf(const Typed& typed, KeyPreset preset) {
  // A key of the number pad that has a command of its own does not count as a typed character.
  const KeyPress pad{Key::Numpad, static_cast<char>(typed.character < 128 ? typed.character : 0), {}, false};
  if (typed.isNumpad && commandOf(pad, preset)) return std::nullopt;
  return findKey(preset, false, [&](const Chord& chord) { return chord.sign && chord.sign == typed.character; });
}

std::string keyOf(Command command, KeyPreset preset) {
  KeyLine line;
  addKeys(line, command, preset);
  return line.keys.empty() ? std::string() : line.keys.front();
}

std::string keyIn(const Stage& stage, Command command) { return keyOf(command, stage.settings.keys); }

std::vector<Chord> boundChords(KeyPreset preset) {
  std::vector<Chord> chords;
  visitKeys(preset, [&](const CommandInfo& info, const Chord& chord) {
    if (!info.has(kDragKey)) chords.push_back(chord);
  });
  return chords;
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
  for (const std::string_view section : kSections) {
    for (const CommandInfo& info : allCommands()) {
      if (!info.sheet.section || info.sheet.section != section) continue;
      if (info.sheet.what) lines.push_back({section, {}, info.sheet.what, {}});
      addKeys(lines.back(), info.command, preset);
    }
    for (const MouseLine& line : kMouseLines) {
      if (line.section != section) continue;
      lines.push_back({section, {std::string(line.way)}, line.what, {}});
      if (line.command) addKeys(lines.back(), *line.command, preset);
    }
    if (section == "Mouse")
      for (GestureLine& line : gestureLines(preset, scrolling))
        lines.push_back({section, std::move(line.ways), line.what, {}});
  }
  std::erase_if(lines, [](const KeyLine& line) { return line.keys.empty(); });
  return lines;
}

}  // namespace limber::app
