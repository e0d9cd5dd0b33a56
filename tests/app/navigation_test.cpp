// SPDX-License-Identifier: MIT
#include "app/settings/navigation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace limber::app::navigation_test {
namespace {

constexpr Modifiers kNone{}, kWithShift{.shift = true}, kWithCtrl{.control = true}, kWithAlt{.alt = true};
constexpr KeyPreset kPresets[] = {KeyPreset::Limber, KeyPreset::Blender, KeyPreset::Maya};

TEST(Navigation, BlendersMiddleButtonOrbitsPansAndZooms) {
  for (const KeyPreset preset : {KeyPreset::Limber, KeyPreset::Blender}) {
    EXPECT_EQ(cameraGestureOf(Button::Middle, kNone, preset), CameraGesture::Orbit);
    EXPECT_EQ(cameraGestureOf(Button::Middle, kWithShift, preset), CameraGesture::Pan);
    EXPECT_EQ(cameraGestureOf(Button::Middle, kWithCtrl, preset), CameraGesture::Zoom);
    EXPECT_FALSE(cameraGestureOf(Button::Right, kNone, preset));
  }
}

TEST(Navigation, MayasAltAndUnitysButtons) {
  EXPECT_EQ(cameraGestureOf(Button::Left, kWithAlt, KeyPreset::Maya), CameraGesture::Orbit);
  EXPECT_EQ(cameraGestureOf(Button::Middle, kWithAlt, KeyPreset::Maya), CameraGesture::Pan);
  EXPECT_EQ(cameraGestureOf(Button::Right, kWithAlt, KeyPreset::Maya), CameraGesture::Zoom);
  EXPECT_EQ(cameraGestureOf(Button::Middle, kNone, KeyPreset::Maya), CameraGesture::Pan);
  EXPECT_EQ(cameraGestureOf(Button::Right, kNone, KeyPreset::Maya), CameraGesture::Look);
}

TEST(Navigation, TheLeftButtonAloneIsForTheFigureInEveryPreset) {
  for (const KeyPreset preset : kPresets)
    for (const Modifiers& held : {kNone, kWithShift, kWithCtrl})
      EXPECT_FALSE(cameraGestureOf(Button::Left, held, preset));
}

TEST(Navigation, BesideTheFigureOneButtonDoesAll) {
  EXPECT_EQ(besideGestureOf(kNone), CameraGesture::Orbit);
  EXPECT_EQ(besideGestureOf(kWithShift), CameraGesture::Pan);
  EXPECT_EQ(besideGestureOf(kWithCtrl), CameraGesture::Zoom);
}

TEST(Navigation, TwoFingersDoAllAWheelZooms) {
  EXPECT_EQ(scrollGestureOf(kNone, Scrolling::Orbits), CameraGesture::Orbit);
  EXPECT_EQ(scrollGestureOf(kWithShift, Scrolling::Orbits), CameraGesture::Pan);
  EXPECT_EQ(scrollGestureOf(kWithCtrl, Scrolling::Orbits), CameraGesture::Zoom);
  for (const Modifiers& held : {kNone, kWithShift, kWithCtrl, kWithAlt})
    EXPECT_EQ(scrollGestureOf(held, Scrolling::Zooms), CameraGesture::Zoom);
}

/// "Alt+Ctrl+left drag" as a press; empty for texts that are not drags of a button.
std::optional<std::pair<Button, Modifiers>> pressOf(const std::string& way) {
  const auto has = [&](const char* part) { return way.find(part) != std::string::npos; };
  if (!way.ends_with(" drag")) return std::nullopt;
  const Button button = has("eft drag") ? Button::Left : has("iddle drag") ? Button::Middle : Button::Right;
  return std::pair(button, Modifiers{.shift = has("Shift+"), .control = has("Ctrl+"), .alt = has("Alt+")});
}

TEST(Navigation, WhatTheLinesSayIsSo) {
  constexpr std::string_view kWhat[] = {"orbit", "pan", "zoom", "look around from where you are"};
  for (const KeyPreset preset : kPresets) {
    std::size_t presses = 0;
    for (const GestureLine& line : gestureLines(preset, Scrolling::Orbits))
      for (const std::string& way : line.ways)
        if (const auto press = pressOf(way)) {
          ++presses;
          const auto gesture = cameraGestureOf(press->first, press->second, preset);
          ASSERT_TRUE(gesture) << way;
          EXPECT_EQ(kWhat[static_cast<std::size_t>(*gesture)], line.what) << way;
        }
    EXPECT_GE(presses, 5u);
  }
}

TEST(Navigation, TheCameraNeedsNoMiddleButtonInAnyPreset) {
  for (const KeyPreset preset : kPresets)
    for (const GestureLine& line : gestureLines(preset, Scrolling::Orbits)) {
      if (line.what.starts_with("look")) continue;  // orbiting and panning come to the same places
      for (const char* way : {"beside", "wo fingers"}) {
        const auto has = [&](const std::string& told) { return told.find(way) != std::string::npos; };
        EXPECT_TRUE(std::ranges::any_of(line.ways, has)) << line.what << ": " << way;
      }
    }
}

}  // namespace
}  // namespace limber::app::navigation_test
