// SPDX-License-Identifier: MIT
// The panels of the right column, and the tab that each is found on: one table, which the column and the menu read.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace limber::app {

enum class PanelTab : std::uint8_t { Pose, Analyse, SetUp };

/// Names as a settings file has them and as the window shows them, in the order of the values.
inline constexpr std::string_view kTabNames[] = {"pose", "analyse", "set_up"};
inline constexpr const char* kTabTitles[] = {"Pose", "Analyse", "Set up"};

enum class Panel : std::uint8_t {
  Motion, Fit, Poses, Joint, Goals, Pins, World,
  Why, Convergence, Race, Global, Workspace, Distribution,
  Solver, Figure, History
};

/// The share of a panel in the height of the column.
struct PanelHeight {
  double most = 0.0;   ///< that its contents have use for
  double share = 1.0;  ///< of the room, where that is short: relative to the others'
};

struct PanelEntry {
  Panel panel;
  PanelTab tab;
  const char* title;   ///< of its header, and what the settings remember it by
  bool isOpen;         ///< unless the user folded or unfolded it
  PanelHeight height;  ///< in heights of the text
  const char* tip;
};

/// In the order in which they stand under each other.
std::span<const PanelEntry> panelList();
const PanelEntry& entryOf(Panel panel);

/// Shares `room` among panels: in proportion to their shares, but none gets more than its most, and none less than
/// `least` (or its most, if that is less), even where all together then take more than the room. Contents play no part,
/// so that no panel moves when another's contents change.
std::vector<double> sharedHeights(std::span<const PanelHeight> panels, double room, double least);

}  // namespace limber::app
