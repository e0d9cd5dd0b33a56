// SPDX-License-Identifier: MIT
#include "app/settings/keymap.h"

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
  EXPECT_EQ(actionOf(Typed{U'.'}), Action::TurnUp);
  EXPECT_EQ(actionOf(Typed{U','}), Action::TurnDown);
  for (const char32_t c : {U'>', U':'}) EXPECT_EQ(actionOf(Typed{c}), Action::TurnUpFine);
  for (const char32_t c : {U'<', U';'}) EXPECT_EQ(actionOf(Typed{c}), Action::TurnDownFine);
  EXPECT_FALSE(actionOf(Typed{U'r'}));
}

TEST(Keymap, TheRaceIsToggledAndSteppedThrough) {
  EXPECT_EQ(actionOf(letter('c')), Action::ToggleRace);
  EXPECT_EQ(actionOf(Typed{U'['}), Action::RaceStepBack);
  EXPECT_EQ(actionOf(Typed{U']'}), Action::RaceStepForward);
}

TEST(Keymap, SkinViewsAreOnX) { EXPECT_EQ(actionOf(letter('x')), Action::NextSkinView); }

TEST(Keymap, GizmosAreOnWEQAndTheirAxesOnA) {
  EXPECT_EQ(actionOf(letter('w')), Action::MoveTool);
  EXPECT_EQ(actionOf(letter('e')), Action::TurnTool);
  EXPECT_EQ(actionOf(letter('q')), Action::SelectTool);
  EXPECT_EQ(actionOf(letter('a')), Action::ToggleAxes);
}

TEST(Keymap, XYZLockWhileSomethingIsDragged) {
  EXPECT_EQ(dragActionOf(letter('x')), Action::LockX);
  EXPECT_EQ(dragActionOf(letter('y')), Action::LockY);
  EXPECT_EQ(dragActionOf(letter('z')), Action::LockZ);
  EXPECT_EQ(dragActionOf(letter('x', {.shift = true})), Action::LockPlaneX);
  EXPECT_EQ(dragActionOf(letter('z', {.shift = true})), Action::LockPlaneZ);
  EXPECT_FALSE(dragActionOf(letter('z', {.control = true}))) << "undo is undo";
  EXPECT_FALSE(dragActionOf(letter('p')));
}

TEST(Keymap, HistoryKeys) {
  EXPECT_EQ(actionOf(letter('z', {.control = true})), Action::Undo);
  EXPECT_EQ(actionOf(letter('z', {.shift = true, .control = true})), Action::Redo);
  EXPECT_EQ(actionOf(letter('y', {.control = true})), Action::Redo);
  EXPECT_FALSE(actionOf(letter('z')));
}

TEST(Keymap, PlainKeysDoNotListenWithControlOrAlt) {
  EXPECT_EQ(actionOf(letter('r')), Action::RestPose);
  EXPECT_FALSE(actionOf(letter('r', {.control = true})));
  EXPECT_FALSE(actionOf(letter('f', {.alt = true})));
  EXPECT_FALSE(actionOf(KeyPress{Key::Space, 0, {.control = true}, false}));
}

TEST(Keymap, PinsBothOrOneOfPositionAndRotation) {
  EXPECT_EQ(actionOf(letter('p')), Action::Pin);
  EXPECT_EQ(actionOf(letter('p', {.shift = true})), Action::PinPosition);
  EXPECT_EQ(actionOf(letter('p', {.control = true})), Action::PinRotation);
  EXPECT_FALSE(actionOf(letter('p', {.alt = true})));
  EXPECT_FALSE(actionOf(letter('r', {.shift = true})));
}

TEST(Keymap, TabGoesBothWays) {
  EXPECT_EQ(actionOf(KeyPress{Key::Tab, 0, {}, false}), Action::NextJoint);
  EXPECT_EQ(actionOf(KeyPress{Key::Tab, 0, {.shift = true}, false}), Action::PreviousJoint);
}

TEST(Keymap, OnlyTurnsStepsAndHistoryRepeat) {
  EXPECT_TRUE(repeats(Action::TurnUp));
  EXPECT_TRUE(repeats(Action::Undo));
  EXPECT_FALSE(repeats(Action::ToggleMode));
  EXPECT_FALSE(repeats(Action::RestPose));
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
  EXPECT_EQ(actionOf(KeyPress{Key::Space, 0, {}, false}, GetParam()), Action::ToggleMode);
  EXPECT_EQ(actionOf(letter('r')), Action::RestPose) << "the assignment's";
  EXPECT_FALSE(keyOf(Action::RestPose, GetParam()).empty());
  EXPECT_EQ(actionOf(Typed{U'.'}, GetParam()), Action::TurnUp);
  EXPECT_EQ(actionOf(Typed{U','}, GetParam()), Action::TurnDown);
  for (const Modifiers& held : {Modifiers{}, Modifiers{.shift = true}, Modifiers{.control = true}})
    EXPECT_EQ(actionOf(KeyPress{Key::Escape, 0, held, false}, GetParam()), Action::Cancel);
  EXPECT_EQ(actionOf(letter('z', {.control = true}), GetParam()), Action::Undo);
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

TEST_P(Presets, EveryActionHasALineOnTheSheet) {
  std::set<Action> told;
  for (const KeyLine& line : keySheet(GetParam(), Scrolling::Zooms))
    told.insert(line.actions.begin(), line.actions.end());
  for (int i = 0; i < kActionCount; ++i) {
    const auto action = static_cast<Action>(i);
    if (action == Action::SaveFigureAs) continue;  // in the menu alone
    const bool isBlenders = action == Action::Grab || action == Action::Rotate;
    if (isBlenders && GetParam() != KeyPreset::Blender) continue;
    EXPECT_TRUE(told.contains(action)) << "action " << i;
    EXPECT_FALSE(keyOf(action, GetParam()).empty()) << "action " << i;
  }
}

TEST_P(Presets, WhatTheSheetSaysIsSo) {
  for (const KeyLine& line : keySheet(GetParam(), Scrolling::Zooms)) {
    EXPECT_FALSE(line.section.empty() || line.keys.empty() || line.what.empty());
    const std::set<std::string> keys(line.keys.begin(), line.keys.end());
    for (const Action action : line.actions) EXPECT_TRUE(keys.contains(keyOf(action, GetParam()))) << line.what;
  }
  // Conversely, the sheet has a line for each key's action.
  const auto isTold = [&](const std::string& key, Action action) {
    for (const KeyLine& line : keySheet(GetParam(), Scrolling::Zooms))
      if (std::ranges::find(line.actions, action) != line.actions.end())
        return std::ranges::find(line.keys, key) != line.keys.end();
    return false;
  };
  for (const KeyPress& press : allPresses()) {
    const auto action = actionOf(press, GetParam());
    if (!action) continue;
    EXPECT_TRUE(isTold(press.key == Key::Escape ? "Esc" : nameOf(press), *action)) << nameOf(press);
  }
  for (const char32_t sign : kSigns) {
    if (const auto action = actionOf(Typed{sign}, GetParam())) {
      EXPECT_TRUE(isTold(chordText({.sign = sign}), *action)) << static_cast<char>(sign);
    }
  }
}

TEST(Keymap, BlendersHandsFindTheirKeys) {
  const auto in = [](char c, Modifiers held = {}) { return actionOf(letter(c, held), KeyPreset::Blender); };
  EXPECT_EQ(in('x'), Action::DeleteGoal);
  EXPECT_EQ(in('i'), Action::KeyPose);
  EXPECT_EQ(in('i', {.alt = true}), Action::RemoveKey);
  EXPECT_EQ(in('n'), Action::TogglePanels);
  EXPECT_EQ(in('t'), Action::ToggleTree);
  EXPECT_EQ(actionOf(KeyPress{Key::Home, 0, {}, false}, KeyPreset::Blender), Action::FrameAll);
  EXPECT_EQ(actionOf(KeyPress{Key::Numpad, '.', {}, false}, KeyPreset::Blender), Action::FrameSelection);
  EXPECT_FALSE(actionOf(Typed{U'.', true}, KeyPreset::Blender)) << "the key has been heard already";
  EXPECT_EQ(actionOf(Typed{U'.', true}, KeyPreset::Limber), Action::TurnUp);
}

TEST(Keymap, MayasHandsFindTheirKeys) {
  const auto in = [](char c, Modifiers held = {}) { return actionOf(letter(c, held), KeyPreset::Maya); };
  EXPECT_EQ(in('s'), Action::KeyPose);
  EXPECT_EQ(in('a'), Action::FrameAll);
  EXPECT_EQ(in('f'), Action::FrameSelection);
  EXPECT_EQ(in('z'), Action::Undo);
  EXPECT_EQ(in('z', {.shift = true}), Action::Redo);
  EXPECT_EQ(in('v', {.alt = true}), Action::PlayOrPause);
}

TEST(Keymap, MenusNameTheKeyOfThePreset) {
  EXPECT_EQ(keyOf(Action::Solve, KeyPreset::Limber), "S");
  EXPECT_EQ(keyOf(Action::Solve, KeyPreset::Maya), "G");
  EXPECT_EQ(keyOf(Action::Redo, KeyPreset::Limber), "Ctrl+Shift+Z");
  EXPECT_EQ(keyOf(Action::TurnUpFine, KeyPreset::Limber), "Shift+.");
  EXPECT_EQ(keyOf(Action::ViewBack, KeyPreset::Limber), "Ctrl+1");
  EXPECT_EQ(keyOf(Action::SaveFigureAs, KeyPreset::Limber), "");
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
