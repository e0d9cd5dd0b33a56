// SPDX-License-Identifier: MIT
// Which button or scroll moves the camera, in each preset. Numbers only.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/settings/input.h"
#include "app/settings/preferences.h"

namespace limber::app {

enum class CameraGesture {
  Orbit,
  Pan,
  Zoom,
  Look,  ///< the head turns, the eye stays
};

/// What a press is for, whatever is under it; nothing where it is for the figure.
std::optional<CameraGesture> cameraGestureOf(Button button, const Modifiers& held, KeyPreset preset);

/// A left drag beside the figure draws a box around what is to be selected.
bool drawsBox(const Modifiers& held);
inline constexpr const char* kBoxWay = "Ctrl+Shift+left drag beside the figure";

/// What else it does: every way of moving the camera is there, too, without another button.
CameraGesture besideGestureOf(const Modifiers& held);

/// What scrolling does.
CameraGesture scrollGestureOf(const Modifiers& held, Scrolling scrolling);

/// A camera movement and all that makes it: "orbit", {"Middle drag", "Alt + left drag", ...}.
struct GestureLine {
  std::string_view what;
  std::vector<std::string> ways;
};
std::vector<GestureLine> gestureLines(KeyPreset preset, Scrolling scrolling);

}  // namespace limber::app
