// SPDX-License-Identifier: MIT
#include "app/settings/panel_list.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace limber::app {

namespace {

constexpr std::array<PanelEntry, 17> kPanelList = {{
    {Panel::Fit, PanelTab::Pose, "Fit", true, {30.0, 2.0}, "observed points, and the figure that is fitted to them"},
    {Panel::Reference,
     PanelTab::Pose,
     "Reference picture",
     true,
     {34.0, 6.0},
     "a picture that the figure is posed after"},
    {Panel::Poses, PanelTab::Pose, "Poses", true, {80.0, 2.2}, "the pose library: poses to apply, blend and save"},
    {Panel::Joint, PanelTab::Pose, "Joint", true, {17.0, 1.4}, "angles, limits, rigidity, lock of the selected joint"},
    {Panel::Goals, PanelTab::Pose, "Goals", true, {34.0, 1.2}, "the goals of the figure, besides the drag"},
    {Panel::Pins, PanelTab::Pose, "Pins", false, {17.0}, "links that are held in place"},
    {Panel::World, PanelTab::Pose, "World", false, {26.0}, "obstacles, contact between links, balance"},
    {Panel::Why, PanelTab::Analyse, "Why does it stop here?", true, {30.0, 1.5}, "what holds the pose back"},
    {Panel::Convergence, PanelTab::Analyse, "Convergence", true, {12.0}, "the iterations of the last solve"},
    {Panel::Race, PanelTab::Analyse, "Race", true, {4.5}, "several solvers on the same drag, as ghosts"},
    {Panel::Global, PanelTab::Analyse, "Global", true, {18.0}, "the best pose of all, with a proof of how good it is"},
    {Panel::Workspace, PanelTab::Analyse, "Workspace", false, {18.0}, "where an end effector can go"},
    {Panel::Distribution, PanelTab::Analyse, "Joint-angle distribution", false, {13.0}, "bending along rows of joints"},
    {Panel::Solver, PanelTab::SetUp, "Solver", true, {80.0, 2.0}, "the solver, its weights, options and caps"},
    {Panel::Figure, PanelTab::SetUp, "Figure", false, {40.0}, "the figure's own links, joints, lengths and sites"},
    {Panel::History, PanelTab::SetUp, "History", false, {80.0}, "the steps that can be undone"},
    {Panel::Live, PanelTab::SetUp, "Live", false, {24.0}, "motion from other programs, and the pose for them"},
}};

constexpr bool isInOrder() {
  for (std::size_t i = 0; i < kPanelList.size(); ++i)
    if (static_cast<std::size_t>(kPanelList[i].panel) != i) return false;
  return true;
}
static_assert(isInOrder(), "entryOf() indexes by the enumerator");

}  // namespace

std::span<const PanelEntry> panelList() { return kPanelList; }

const PanelEntry& entryOf(Panel panel) { return kPanelList[static_cast<std::size_t>(panel)]; }

std::vector<double> sharedHeights(std::span<const PanelHeight> panels, double room, double least) {
  std::vector<std::size_t> order(panels.size());  // by rising need: unused height goes to the later ones
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return panels[i].most / panels[i].share; });
  double left = room, shares = 0.0;
  for (const PanelHeight& panel : panels) shares += panel.share;
  std::vector<double> heights(panels.size());
  for (const std::size_t i : order) {
    heights[i] = std::min(panels[i].most, std::max(left * panels[i].share / shares, least));
    left -= heights[i];
    shares -= panels[i].share;
  }
  return heights;
}

}  // namespace limber::app
