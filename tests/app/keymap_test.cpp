// SPDX-License-Identifier: MIT
#include "app/stage/commands.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "app/settings/chord.h"

namespace limber::app::keymap_test {
namespace {

KeyPress letter(char c, Modifiers held = {}) { return {Key::Letter, c, held, false}; }

TEST(Keymap, TurnsAreReadAsCharacters) {
  EXPECT_EQ(commandOf(Typed{U'.'}), Command::TurnUp);
  EXPECT_EQ(commandOf(Typed{U','}), Command::TurnDown);
  for (const char32_t c : {U'>', U':'}) EXPECT_EQ(commandOf(Typed{c}), Command::TurnUpFine);
  for (const char32_t c : {U'<', U';'}) EXPECT_EQ(commandOf(Typed{c}), Command::TurnDownFine);
  EXPECT_FALSE(commandOf(Typed{U'r'}));
}

TEST(Keymap, TheRaceIsToggledAndSteppedThrough) {
  EXPECT_EQ(commandOf(letter('c')), Command::ToggleRace);
  EXPECT_EQ(commandOf(Typed{U'['}), Command::RaceStepBack);
  EXPECT_EQ(commandOf(Typed{U']'}), Command::RaceStepForward);
}

TEST(Keymap, SkinViewsAreOnX) { EXPECT_EQ(commandOf(letter('x')), Command::NextSkinView); }

TEST(Keymap, GizmosAreOnWEQAndTheirAxesOnA) {
  EXPECT_EQ(commandOf(letter('w')), Command::MoveTool);
  EXPECT_EQ(commandOf(letter('e')), Command::TurnTool);
  EXPECT_EQ(commandOf(letter('q')), Command::SelectTool);
  EXPECT_EQ(commandOf(letter('a')), Command::ToggleAxes);
}

TEST(Keymap, XYZLockWhileSomethingIsDragged) {
  EXPECT_EQ(dragCommandOf(letter('x')), Command::LockX);
  EXPECT_EQ(dragCommandOf(letter('y')), Command::LockY);
  EXPECT_EQ(dragCommandOf(letter('z')), Command::LockZ);
  EXPECT_EQ(dragCommandOf(letter('x', {.shift = true})), Command::LockPlaneX);
  EXPECT_EQ(dragCommandOf(letter('z', {.shift = true})), Command::LockPlaneZ);
  EXPECT_FALSE(dragCommandOf(letter('z', {.control = true}))) << "undo is undo";
  EXPECT_FALSE(dragCommandOf(letter('p')));
}

TEST(Keymap, HistoryKeys) {
  EXPECT_EQ(commandOf(letter('z', {.control = true})), Command::Undo);
  EXPECT_EQ(commandOf(letter('z', {.shift = true, .control = true})), Command::Redo);
  EXPECT_EQ(commandOf(letter('y', {.control = true})), Command::Redo);
  EXPECT_FALSE(commandOf(letter('z')));
}

TEST(Keymap, PlainKeysDoNotListenWithControlOrAlt) {
  EXPECT_EQ(commandOf(letter('r')), Command::RestPose);
  EXPECT_FALSE(commandOf(letter('r', {.control = true})));
  EXPECT_FALSE(commandOf(letter('f', {.alt = true})));
  EXPECT_FALSE(commandOf(KeyPress{Key::Space, 0, {.control = true}, false}));
}

TEST(Keymap, PinsBothOrOneOfPositionAndRotation) {
  EXPECT_EQ(commandOf(letter('p')), Command::Pin);
  EXPECT_EQ(commandOf(letter('p', {.shift = true})), Command::PinPosition);
  EXPECT_EQ(commandOf(letter('p', {.control = true})), Command::PinRotation);
  EXPECT_FALSE(commandOf(letter('p', {.alt = true})));
  EXPECT_FALSE(commandOf(letter('r', {.shift = true})));
}

TEST(Keymap, TabGoesBothWays) {
  EXPECT_EQ(commandOf(KeyPress{Key::Tab, 0, {}, false}), Command::NextJoint);
  EXPECT_EQ(commandOf(KeyPress{Key::Tab, 0, {.shift = true}, false}), Command::PreviousJoint);
}

TEST(Keymap, OnlyTurnsStepsAndHistoryRepeat) {
  EXPECT_TRUE(infoOf(Command::TurnUp).has(kRepeats));
  EXPECT_TRUE(infoOf(Command::Undo).has(kRepeats));
  EXPECT_FALSE(infoOf(Command::ToggleMode).has(kRepeats));
  EXPECT_FALSE(infoOf(Command::RestPose).has(kRepeats));
}

constexpr KeyPreset kPresets[] = {KeyPreset::Limber, KeyPreset::Blender, KeyPreset::Maya};

/// Every key press that can have a meaning.
std::vector<KeyPress> allPresses() {
  std::vector<KeyPress> presses;
  const auto add = [&](Key key, char letter) {
    for (int held = 0; held < 8; ++held)
      presses.push_back({key, letter, {(held & 1) != 0, (held & 2) != 0, (held & 4) != 0}, false});
  };
  for (char c = 'a'; c <= 'z'; ++c) add(Key::Letter, c);
  for (const Key key : {Key::Digit, Key::Numpad})
    for (char c = '0'; c <= '9'; ++c) add(key, c);
  add(Key::Numpad, '.');
  for (const Key key : {Key::Space, Key::Tab, Key::Enter, Key::Escape, Key::Delete, Key::Backspace, Key::Home,
                        Key::Left, Key::Right, Key::Up, Key::Down, Key::F1, Key::F10, Key::Alt})
    add(key, 0);
  return presses;
}

constexpr char32_t kSigns[] = {U'.', U',', U'>', U'<', U':', U';', U'[', U']'};

/// The name by which the sheet lists the key of this press.
std::string nameOf(const KeyPress& press) {
  return chordText({.key = press.key, .letter = press.letter, .held = heldOf(press.modifiers)});
}

class Presets : public testing::TestWithParam<KeyPreset> {};
INSTANTIATE_TEST_SUITE_P(All, Presets, testing::ValuesIn(kPresets));

TEST_P(Presets, KeepTheKeysThatAreFixed) {
  EXPECT_EQ(commandOf(KeyPress{Key::Space, 0, {}, false}, GetParam()), Command::ToggleMode);
  EXPECT_EQ(commandOf(letter('r')), Command::RestPose) << "the assignment's";
  EXPECT_FALSE(keyOf(Command::RestPose, GetParam()).empty());
  EXPECT_EQ(commandOf(Typed{U'.'}, GetParam()), Command::TurnUp);
  EXPECT_EQ(commandOf(Typed{U','}, GetParam()), Command::TurnDown);
  for (const Modifiers& held : {Modifiers{}, Modifiers{.shift = true}, Modifiers{.control = true}})
    EXPECT_EQ(commandOf(KeyPress{Key::Escape, 0, held, false}, GetParam()), Command::Cancel);
  EXPECT_EQ(commandOf(letter('z', {.control = true}), GetParam()), Command::Undo);
}

TEST_P(Presets, NoKeyAsksForTwoThings) {
  std::set<std::string> seen;
  for (const Chord& chord : boundChords(GetParam())) {
    const std::string name = chord.sign ? "types " + std::to_string(static_cast<unsigned>(chord.sign))
                                        : std::to_string(static_cast<int>(chord.key)) + chordText(chord);
    EXPECT_TRUE(seen.insert(name).second) << chordText(chord);
  }
  EXPECT_GT(seen.size(), 60u);
}

TEST_P(Presets, EveryCommandWithAKeyHasALineOnTheSheet) {
  std::set<Command> told;
  for (const KeyLine& line : keySheet(GetParam(), Scrolling::Zooms))
    told.insert(line.commands.begin(), line.commands.end());
  for (const CommandInfo& info : allCommands()) {
    const bool hasKey = !keyOf(info.command, GetParam()).empty();
    EXPECT_EQ(told.contains(info.command), hasKey) << "command " << static_cast<int>(info.command);
    const bool isBlenders = info.command == Command::Grab || info.command == Command::Rotate;
    if (info.sheet.section && !(isBlenders && GetParam() != KeyPreset::Blender)) {
      EXPECT_TRUE(hasKey) << "command " << static_cast<int>(info.command);
    }
  }
  EXPECT_GT(told.size(), 80u);
}

TEST_P(Presets, WhatTheSheetSaysIsSo) {
  for (const KeyLine& line : keySheet(GetParam(), Scrolling::Zooms)) {
    EXPECT_FALSE(line.section.empty() || line.keys.empty() || line.what.empty());
    const std::set<std::string> keys(line.keys.begin(), line.keys.end());
    for (const Command command : line.commands) EXPECT_TRUE(keys.contains(keyOf(command, GetParam()))) << line.what;
  }
  // Conversely, the sheet has a line for each key's command.
  const auto isTold = [&](const std::string& key, Command command) {
    for (const KeyLine& line : keySheet(GetParam(), Scrolling::Zooms))
      if (std::ranges::find(line.commands, command) != line.commands.end())
        return std::ranges::find(line.keys, key) != line.keys.end();
    return false;
  };
  for (const KeyPress& press : allPresses()) {
    const auto command = commandOf(press, GetParam());
    if (!command) continue;
    EXPECT_TRUE(isTold(press.key == Key::Escape ? "Esc" : nameOf(press), *command)) << nameOf(press);
  }
  for (const char32_t sign : kSigns) {
    if (const auto command = commandOf(Typed{sign}, GetParam())) {
      EXPECT_TRUE(isTold(chordText({.sign = sign}), *command)) << static_cast<char>(sign);
    }
  }
}

TEST(Keymap, BlendersHandsFindTheirKeys) {
  const auto in = [](char c, Modifiers held = {}) { return commandOf(letter(c, held), KeyPreset::Blender); };
  EXPECT_EQ(in('x'), Command::DeleteGoal);
  EXPECT_EQ(in('i'), Command::KeyPose);
  EXPECT_EQ(in('i', {.alt = true}), Command::RemoveKey);
  EXPECT_EQ(in('n'), Command::TogglePanels);
  EXPECT_EQ(in('t'), Command::ToggleTree);
  EXPECT_EQ(commandOf(KeyPress{Key::Home, 0, {}, false}, KeyPreset::Blender), Command::FrameAll);
  EXPECT_EQ(commandOf(KeyPress{Key::Numpad, '.', {}, false}, KeyPreset::Blender), Command::FrameSelection);
  EXPECT_FALSE(commandOf(Typed{U'.', true}, KeyPreset::Blender)) << "the key has been heard already";
  EXPECT_EQ(commandOf(Typed{U'.', true}, KeyPreset::Limber), Command::TurnUp);
}

TEST(Keymap, MayasHandsFindTheirKeys) {
  const auto in = [](char c, Modifiers held = {}) { return commandOf(letter(c, held), KeyPreset::Maya); };
  EXPECT_EQ(in('s'), Command::KeyPose);
  EXPECT_EQ(in('a'), Command::FrameAll);
  EXPECT_EQ(in('f'), Command::FrameSelection);
  EXPECT_EQ(in('z'), Command::Undo);
  EXPECT_EQ(in('z', {.shift = true}), Command::Redo);
  EXPECT_EQ(in('v', {.alt = true}), Command::PlayOrPause);
}

TEST(Keymap, MenusNameTheKeyOfThePreset) {
  EXPECT_EQ(keyOf(Command::Solve, KeyPreset::Limber), "S");
  EXPECT_EQ(keyOf(Command::Solve, KeyPreset::Maya), "G");
  EXPECT_EQ(keyOf(Command::Redo, KeyPreset::Limber), "Ctrl+Shift+Z");
  EXPECT_EQ(keyOf(Command::TurnUpFine, KeyPreset::Limber), "Shift+.");
  EXPECT_EQ(keyOf(Command::ViewBack, KeyPreset::Limber), "Ctrl+1");
  EXPECT_EQ(keyOf(Command::SaveFigureAs, KeyPreset::Limber), "");
}

TEST(Keymap, TheSheetTellsTheMouseOfThePreset) {
  const auto waysTo = [](std::string_view what, KeyPreset preset, Scrolling scrolling) {
    for (const KeyLine& line : keySheet(preset, scrolling))
      if (line.section == "Mouse" && line.what == what) return line.keys;
    return std::vector<std::string>();
  };
  EXPECT_EQ(waysTo("pan", KeyPreset::Maya, Scrolling::Zooms).front(), "Middle drag");
  EXPECT_EQ(waysTo("orbit", KeyPreset::Blender, Scrolling::Zooms).front(), "Middle drag");
  EXPECT_EQ(waysTo("zoom", KeyPreset::Limber, Scrolling::Zooms).back(), "Wheel");
  EXPECT_EQ(waysTo("orbit", KeyPreset::Limber, Scrolling::Orbits).back(), "Two fingers");
}

}  // namespace
}  // namespace limber::app::keymap_test
