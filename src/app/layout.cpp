// SPDX-License-Identifier: MIT
#include "app/layout.h"

#include <algorithm>

namespace limber::app {

namespace {
constexpr double kTreeEms = 16.0, kPanelsEms = 21.5, kStatusEms = 1.9;
constexpr double kLeastEms = 9.0;            // narrower than this a side part shows nothing useful
constexpr double kRaceEms = 17.0, kLeastRaceEms = 8.0;
constexpr double kTimelineEms = 8.2, kMostTimeline = 0.34;
constexpr double kWideTimelineEms = 74.0, kTimelineRowEms = 2.0;  // narrower, its buttons take a row more
constexpr double kMostRace = 0.42;           // of the height between menu and status bar
constexpr double kWideRaceEms = 47.0;        // for table and curves; below a narrower picture it takes all
constexpr double kMostTree = 0.2, kMostPanels = 0.34;  // of the window's width
}  // namespace

Layout divideWindow(double width, double height, double em, double menuHeight, bool showTree, bool showPanels,
                    bool showRace, bool showTimeline) {
  const auto side = [&](bool shown, double ems, double most) {
    const double wanted = std::min(ems * em, most * width);
    return shown && wanted >= kLeastEms * em ? wanted : 0.0;
  };
  const double tree = side(showTree, kTreeEms, kMostTree), panels = side(showPanels, kPanelsEms, kMostPanels);
  const double status = std::min(kStatusEms * em, height);
  const double top = std::min(menuHeight, height - status);
  const double all = std::max(height - status - top, 0.0);
  double timeline = showTimeline && kTimelineEms * em <= kMostTimeline * all ? kTimelineEms * em : 0.0;
  if (timeline > 0.0 && width < kWideTimelineEms * em)
    timeline = std::min(timeline + kTimelineRowEms * em, kMostTimeline * all);
  const double middle = all - timeline;
  Layout layout;
  layout.tree = {0.0, top, tree, middle};
  layout.panels = {width - panels, top, panels, middle};
  layout.status = {0.0, height - status, width, status};
  layout.timeline = {0.0, top + middle, width, timeline};
  const double race = std::min(kRaceEms * em, kMostRace * middle);
  const double below = showRace && race >= kLeastRaceEms * em ? race : 0.0;
  layout.picture = {tree, top, std::max(width - tree - panels, 0.0), middle - below};
  layout.race = {tree, top + middle - below, layout.picture.width, below};
  if (layout.race.width >= kWideRaceEms * em) return layout;
  layout.tree.height = layout.panels.height = middle - below;
  layout.race.x = 0.0;
  layout.race.width = width;
  return layout;
}

}  // namespace limber::app
