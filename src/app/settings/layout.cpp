// SPDX-License-Identifier: MIT
#include "app/settings/layout.h"

#include <algorithm>

namespace limber::app {

namespace {

constexpr double kTreeEms = 16.0, kPanelsEms = 21.5, kStatusEms = 1.9;
constexpr double kRaceEms = 17.0;
constexpr double kTimelineEms = 9.0, kMostTimeline = 0.34;
constexpr int kLanesThatFit = 3;                                  // in the timeline; for more it is higher
constexpr double kCurvesEms = 9.0;                                // more for the curves of the timeline
constexpr double kWideTimelineEms = 90.0, kTimelineRowEms = 2.0;  // a narrower one needs another row of buttons
constexpr double kMostRace = 0.42;                                // of the height between menu and status bar
constexpr double kWideRaceEms = 47.0;  // for table and curves; below a narrower picture the race spans the window
constexpr double kMostTree = 0.2, kMostPanels = 0.34;  // of the window's width
// The same bounds for sizes that the user has chosen.
constexpr double kMostAskedTree = 0.33, kMostAskedPanels = 0.5, kMostAskedTimeline = 0.4, kMostAskedRace = 0.58;

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

Layout divideWindow(double width, double height, double em, double menuHeight, const LayoutWish& wish) {
  const auto side = [&](bool shown, double asked, double ems, double most, double mostAsked) {
    const double wanted = asked > 0.0 ? std::min(asked * em, mostAsked * width) : std::min(ems * em, most * width);
    return shown && wanted >= kLeastEms * em ? wanted : 0.0;
  };
  const PartSizes& sizes = wish.sizes;
  const double tree = side(wish.tree, sizes.tree, kTreeEms, kMostTree, kMostAskedTree);
  const double panels = side(wish.panels, sizes.panels, kPanelsEms, kMostPanels, kMostAskedPanels);
  const double status = std::min(kStatusEms * em, height);
  const double top = std::min(menuHeight, height - status);
  const double all = std::max(height - status - top, 0.0);
  double timeline = wish.timeline && kTimelineEms * em <= kMostTimeline * all ? kTimelineEms * em : 0.0;
  if (timeline > 0.0 && width < kWideTimelineEms * em)
    timeline = std::min(timeline + kTimelineRowEms * em, kMostTimeline * all);
  if (timeline > 0.0)
    timeline = std::min(timeline + kLaneEms * std::max(0, wish.lanes - kLanesThatFit) * em, kMostTimeline * all);
  if (timeline > 0.0 && sizes.timeline > 0.0) timeline = std::min(sizes.timeline * em, kMostAskedTimeline * all);
  if (timeline > 0.0 && wish.curves) timeline = std::min(timeline + kCurvesEms * em, kMostAskedTimeline * all);
  const double middle = all - timeline;
  Layout layout;
  layout.tree = {0.0, top, tree, middle};
  layout.panels = {width - panels, top, panels, middle};
  layout.status = {0.0, height - status, width, status};
  layout.timeline = {0.0, top + middle, width, timeline};
  const double race = sizes.race > 0.0 ? std::min(sizes.race * em, kMostAskedRace * middle)
                                       : std::min(kRaceEms * em, kMostRace * middle);
  const double below = wish.race && race >= kLeastRaceEms * em ? race : 0.0;
  layout.picture = {tree, top, std::max(width - tree - panels, 0.0), middle - below};
  layout.race = {tree, top + middle - below, layout.picture.width, below};
  if (layout.race.width >= kWideRaceEms * em) return layout;
  layout.tree.height = layout.panels.height = middle - below;
  layout.race.x = 0.0;
  layout.race.width = width;
  return layout;
}

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
