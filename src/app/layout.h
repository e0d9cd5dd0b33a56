// SPDX-License-Identifier: MIT
// How the window is divided: menu on top, tree left, panels right, status below, between them picture and race.
#pragma once

namespace limber::app {

struct Rectangle {
  double x = 0.0, y = 0.0, width = 0.0, height = 0.0;

  bool contains(double px, double py) const { return px >= x && px < x + width && py >= y && py < y + height; }
};

struct Layout {
  Rectangle tree, panels, status, picture;
  Rectangle timeline;  ///< above the status bar, as wide as the window
  Rectangle race;  ///< below the picture; where that is too narrow, below tree and panels, too
};

/// All in one unit (screen coordinates); `em` is the height of the text, `menuHeight` what the menu bar takes.
/// A hidden part has no width. Side parts shrink, then vanish, so that the picture keeps half of a narrow window.
Layout divideWindow(double width, double height, double em, double menuHeight, bool showTree, bool showPanels,
                    bool showRace = false, bool showTimeline = false);

}  // namespace limber::app
