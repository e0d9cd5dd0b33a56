// SPDX-License-Identifier: MIT
#include "app/settings/navigation.h"

#include "app/settings/chord.h"

namespace limber::app {

namespace {

struct ButtonBinding {
  Button button;
  unsigned held;
  CameraGesture gesture;
  unsigned presets;
};

// Blender's middle button; Maya's Alt; Unity's middle and right buttons.
constexpr ButtonBinding kButtons[] = {
    {Button::Middle, 0, CameraGesture::Orbit, kInLimber | kInBlender},
    {Button::Middle, kShift, CameraGesture::Pan, kInLimber | kInBlender},
    {Button::Middle, kCtrl, CameraGesture::Zoom, kInLimber | kInBlender},
    {Button::Middle, 0, CameraGesture::Pan, kInMaya},
    {Button::Right, 0, CameraGesture::Look, kInMaya},
    {Button::Left, kAlt, CameraGesture::Orbit, kInAll},
    {Button::Left, kAlt | kShift, CameraGesture::Pan, kInLimber | kInBlender},
    {Button::Left, kAlt | kCtrl, CameraGesture::Zoom, kInLimber | kInBlender},
    {Button::Middle, kAlt, CameraGesture::Pan, kInAll},
    {Button::Right, kAlt, CameraGesture::Zoom, kInAll},
};

struct HeldBinding {
  unsigned held;
  CameraGesture gesture;
};

// A left drag over empty space, and two fingers on a trackpad.
constexpr HeldBinding kHeld[] = {{0, CameraGesture::Orbit}, {kShift, CameraGesture::Pan}, {kCtrl, CameraGesture::Zoom}};

std::optional<CameraGesture> heldGestureOf(const Modifiers& held) {
  for (const HeldBinding& binding : kHeld)
    if (binding.held == heldOf(held)) return binding.gesture;
  return std::nullopt;
}

struct NamedGesture {
  CameraGesture gesture;
  const char* name;
};
constexpr NamedGesture kGestures[] = {{CameraGesture::Orbit, "orbit"},
                                      {CameraGesture::Pan, "pan"},
                                      {CameraGesture::Zoom, "zoom"},
                                      {CameraGesture::Look, "look around from where you are"}};

std::string wayOf(unsigned held, const char* plain, const char* withKeys) {
  return held == 0 ? plain : heldText(held) + withKeys;
}

const char* dragOf(Button button, bool isFirst) {
  switch (button) {
    case Button::Left: return isFirst ? "Left drag" : "left drag";
    case Button::Middle: return isFirst ? "Middle drag" : "middle drag";
    case Button::Right: return isFirst ? "Right drag" : "right drag";
  }
  return "";
}

}  // namespace

std::optional<CameraGesture> cameraGestureOf(Button button, const Modifiers& held, KeyPreset preset) {
  for (const ButtonBinding& binding : kButtons)
    if (binding.button == button && binding.held == heldOf(held) && (binding.presets & maskOf(preset)))
      return binding.gesture;
  return std::nullopt;
}

bool drawsBox(const Modifiers& held) { return heldOf(held) == (kCtrl | kShift); }

CameraGesture besideGestureOf(const Modifiers& held) { return heldGestureOf(held).value_or(CameraGesture::Orbit); }

CameraGesture scrollGestureOf(const Modifiers& held, Scrolling scrolling) {
  if (scrolling == Scrolling::Zooms) return CameraGesture::Zoom;
  return heldGestureOf(held).value_or(CameraGesture::Zoom);
}

std::vector<GestureLine> gestureLines(KeyPreset preset, Scrolling scrolling) {
  std::vector<GestureLine> lines;
  for (const auto& [gesture, name] : kGestures) {
    GestureLine line{name, {}};
    for (const ButtonBinding& binding : kButtons)
      if (binding.gesture == gesture && (binding.presets & maskOf(preset)))
        line.ways.push_back(wayOf(binding.held, dragOf(binding.button, true), dragOf(binding.button, false)));
    for (const HeldBinding& binding : kHeld)
      if (binding.gesture == gesture)
        line.ways.push_back(wayOf(binding.held, "Left drag beside the figure", "left drag beside it"));
    for (const HeldBinding& binding : kHeld)
      if (scrolling == Scrolling::Orbits && binding.gesture == gesture)
        line.ways.push_back(wayOf(binding.held, "Two fingers", "two fingers"));
    if (scrolling == Scrolling::Zooms && gesture == CameraGesture::Zoom) line.ways.push_back("Wheel");
    if (!line.ways.empty()) lines.push_back(line);
  }
  return lines;
}

}  // namespace limber::app
