// SPDX-License-Identifier: MIT
// The place of the window on the screen, and its division: menu on top, tree left, panels right, status below, between
// them picture and race.
#pragma once

#include <span>

#include "app/settings/preferences.h"

namespace limber::app {

struct Rectangle {
  double x = 0.0, y = 0.0, width = 0.0, height = 0.0;

  bool operator==(const Rectangle&) const = default;
  bool contains(double px, double py) const { return px >= x && px < x + width && py >= y && py < y + height; }
};

struct Layout {
  Rectangle tree, panels, status, picture;
  Rectangle timeline;  ///< above the status bar, as wide as the window
  Rectangle race;      ///< below the picture; as wide as the window if the picture is too narrow
};

/// The requested parts and their sizes.
struct LayoutWish {
  bool tree = true, panels = true, race = false, timeline = false;
  bool curves = false;  ///< in the timeline
  int lanes = 0;        ///< of the timeline, which is higher for many
  PartSizes sizes = {};
};

inline constexpr double kLeastEms = 9.0;          ///< a narrower side part is hidden
inline constexpr float kLaneEms = 1.2f;           ///< height of a lane of the timeline
inline constexpr double kLeastTimelineEms = 6.0;  ///< the same for the height of the timeline
inline constexpr double kLeastRaceEms = 8.0;      ///< the same for the height of the race

/// All lengths are in screen coordinates; `em` is the height of the text, `menuHeight` that of the menu bar. A hidden
/// part has no area. Side parts shrink, then vanish, so that the picture keeps about half of a narrow window; sizes
/// that the user has chosen leave the picture at least a sixth of the width and a quarter of the height.
Layout divideWindow(double width, double height, double em, double menuHeight, const LayoutWish& wish);

/// The part of a screen that is free for windows, in screen coordinates.
struct ScreenArea {
  int x = 0, y = 0, width = 0, height = 0;
};

/// Cuts the place to the size of the screen that shows most of it, and moves it there if too little of its upper edge,
/// by which users move windows, would be visible. Without a screen the place is unchanged.
WindowPlace broughtBack(WindowPlace place, std::span<const ScreenArea> screens);

}  // namespace limber::app
