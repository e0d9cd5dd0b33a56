// SPDX-License-Identifier: MIT
// Where a window may stand: on a screen that is there today.
#pragma once

#include <span>

#include "app/settings/preferences.h"

namespace limber::app {

/// What of a screen is free for windows, in screen coordinates.
struct ScreenArea {
  int x = 0, y = 0, width = 0, height = 0;
};

/// The place, no larger than the screen that shows the most of it, and moved there when its upper edge, by which people
/// move windows, cannot be seen. Without a screen, or for a place that was not remembered, only the size is mended.
WindowPlace broughtBack(WindowPlace place, std::span<const ScreenArea> screens);

}  // namespace limber::app
