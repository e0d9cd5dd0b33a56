// SPDX-License-Identifier: MIT
// Which mouse buttons and scrolling move the camera, in each preset.
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
  Look,  ///< turns about the eye
};

/// The camera gesture that a press begins regardless of the item under the cursor; empty if the press acts on the
/// figure.
std::optional<CameraGesture> cameraGestureOf(Button button, const Modifiers& held, KeyPreset preset);

/// True if a left drag over empty space draws a box that selects.
bool drawsBox(const Modifiers& held);
inline constexpr const char* kBoxWay = "Ctrl+Shift+left drag beside the figure";

/// The camera gesture of any other left drag over empty space, so that the left button alone suffices.
CameraGesture besideGestureOf(const Modifiers& held);

CameraGesture scrollGestureOf(const Modifiers& held, Scrolling scrolling);

/// A camera movement and the gestures for it: "orbit", {"Middle drag", "Alt + left drag", ...}.
struct GestureLine {
  std::string_view what;
  std::vector<std::string> ways;
};
std::vector<GestureLine> gestureLines(KeyPreset preset, Scrolling scrolling);

}  // namespace limber::app
