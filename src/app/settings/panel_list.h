// SPDX-License-Identifier: MIT
// The panels of the right column and the tab of each: one table, which the column and the menu read.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace limber::app {

enum class PanelTab : std::uint8_t { Start, Pose, Analyse, SetUp };

/// Names of tabs in the settings file and in the window, in the order of the enumerators.
inline constexpr std::string_view kTabNames[] = {"start", "pose", "analyse", "set_up"};
inline constexpr const char* kTabTitles[] = {"Start", "Pose", "Analyse", "Set up"};

enum class Panel : std::uint8_t {
  Tour,
  Examples,
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
  Ways,
  Distribution,
  Solver,
  Figure,
  History,
  Live
};

struct PanelEntry {
  Panel panel;
  PanelTab tab;
  const char* title;  ///< of its header, and its key in the settings
  bool isOpen;        ///< until the user folds or unfolds it
  const char* tip;
};

/// All panels, from top to bottom.
std::span<const PanelEntry> panelList();
const PanelEntry& entryOf(Panel panel);

}  // namespace limber::app
