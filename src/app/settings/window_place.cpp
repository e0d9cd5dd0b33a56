// SPDX-License-Identifier: MIT
#include "app/settings/window_place.h"

#include <algorithm>

namespace limber::app {

namespace {

// What must be visible of the upper edge of a window, so that the user can grab it; screen coordinates.
constexpr int kSeenWidth = 160, kEdgeHeight = 40, kSeenHeight = 20;

int overlap(int from, int length, int otherFrom, int otherLength) {
  return std::max(std::min(from + length, otherFrom + otherLength) - std::max(from, otherFrom), 0);
}

long overlapArea(const WindowPlace& place, const ScreenArea& screen) {
  return static_cast<long>(overlap(place.x, place.width, screen.x, screen.width)) *
         overlap(place.y, place.height, screen.y, screen.height);
}

}  // namespace

WindowPlace broughtBack(WindowPlace place, std::span<const ScreenArea> screens) {
  if (screens.empty()) return place;
  const ScreenArea& screen =
      *std::ranges::max_element(screens, {}, [&](const ScreenArea& s) { return overlapArea(place, s); });
  if (screen.width <= 0 || screen.height <= 0) return place;
  place.width = std::min(place.width, screen.width);
  place.height = std::min(place.height, screen.height);
  const bool isHeld = overlap(place.x, place.width, screen.x, screen.width) >= std::min(kSeenWidth, place.width) &&
                      overlap(place.y, kEdgeHeight, screen.y, screen.height) >= kSeenHeight;
  if (isHeld) return place;
  place.x = std::clamp(place.x, screen.x, screen.x + screen.width - place.width);
  place.y = std::clamp(place.y, screen.y, screen.y + screen.height - place.height);
  return place;
}

}  // namespace limber::app
