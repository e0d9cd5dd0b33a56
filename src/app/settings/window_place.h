// SPDX-License-Identifier: MIT
// Brings a remembered window back onto a screen that is connected.
#pragma once

#include <span>

#include "app/settings/preferences.h"

namespace limber::app {

/// The part of a screen that is free for windows, in screen coordinates.
struct ScreenArea {
  int x = 0, y = 0, width = 0, height = 0;
};

/// Cuts the place to the size of the screen that shows most of it, and moves it there if too little of its upper edge,
/// by which users move windows, would be visible. Without a screen the place is unchanged.
WindowPlace broughtBack(WindowPlace place, std::span<const ScreenArea> screens);

}  // namespace limber::app
