// SPDX-License-Identifier: MIT
#include "app/keymap.h"

#include <gtest/gtest.h>

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

TEST(Keymap, EverySheetLineSaysKeysAndMeaning) {
  EXPECT_GT(keySheet().size(), 15u);
  for (const KeyLine& line : keySheet()) EXPECT_TRUE(!line.keys.empty() && !line.what.empty() && !line.section.empty());
}

}  // namespace
}  // namespace limber::app::keymap_test
