// SPDX-License-Identifier: MIT
// The panels of the right column and the tab of each: one table, which the column and the menu read.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace limber::app {

enum class PanelTab : std::uint8_t { Pose, Analyse, SetUp };

/// Names of tabs in the settings file and in the window, in the order of the enumerators.
inline constexpr std::string_view kTabNames[] = {"pose", "analyse", "set_up"};
inline constexpr const char* kTabTitles[] = {"Pose", "Analyse", "Set up"};

enum class Panel : std::uint8_t {
  Fit,
  Reference,
  Poses,
  Joint,
  Goals,
  Pins,
  World,
  Why,
  Convergence,
  Race,
  Global,
  Workspace,
  Distribution,
  Solver,
  Figure,
  History,
  Live
};

/// The height that a panel requests in the column.
struct PanelHeight {
  double most = 0.0;   ///< the largest height that its contents can use
  double share = 1.0;  ///< weight among the panels where the column is too short
};

struct PanelEntry {
  Panel panel;
  PanelTab tab;
  const char* title;   ///< of its header, and its key in the settings
  bool isOpen;         ///< until the user folds or unfolds it
  PanelHeight height;  ///< in heights of the text
  const char* tip;
};

/// All panels, from top to bottom.
std::span<const PanelEntry> panelList();
const PanelEntry& entryOf(Panel panel);

/// Divides the height `room` among panels in proportion to their shares. No panel gets more than its `most`, or less
/// than the smaller of `least` and its `most`, even if the sum then exceeds the room. The heights do not depend on
/// contents, so that no panel moves when the contents of another change.
std::vector<double> sharedHeights(std::span<const PanelHeight> panels, double room, double least);

}  // namespace limber::app
