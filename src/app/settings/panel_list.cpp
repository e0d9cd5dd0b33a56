// SPDX-License-Identifier: MIT
#include "app/settings/panel_list.h"

#include <array>

namespace limber::app {

namespace {

constexpr std::array<PanelEntry, 20> kPanelList = {{
    {Panel::Tour, PanelTab::Start, "Tour", true, "four tasks for the first minutes"},
    {Panel::Examples, PanelTab::Start, "Examples", true, "scenes to try; each opens as a new document"},
    {Panel::Fit, PanelTab::Pose, "Fit", true, "observed points, and the figure that is fitted to them"},
    {Panel::Reference, PanelTab::Pose, "Reference picture", true, "a picture that the figure is posed after"},
    {Panel::Poses, PanelTab::Pose, "Poses", true, "the pose library: poses to apply, blend and save"},
    {Panel::Joint, PanelTab::Pose, "Joint", true, "angles, limits, rigidity, lock of the selected joint"},
    {Panel::Goals, PanelTab::Pose, "Goals", true, "the goals of the figure, besides the drag"},
    {Panel::Pins, PanelTab::Pose, "Pins", false, "links that are held in place"},
    {Panel::World, PanelTab::Pose, "World", false, "obstacles, contact between links, balance"},
    {Panel::Why, PanelTab::Analyse, "Why does it stop here?", true, "what holds the pose back"},
    {Panel::Convergence, PanelTab::Analyse, "Convergence", true, "the iterations of the last solve"},
    {Panel::Race, PanelTab::Analyse, "Race", true, "several solvers on the same drag, as ghosts"},
    {Panel::Global, PanelTab::Analyse, "Global", true, "the best pose of all, with a proof of how good it is"},
    {Panel::Workspace, PanelTab::Analyse, "Workspace", false, "where an end effector can go"},
    {Panel::Ways, PanelTab::Analyse, "All the ways", false, "all poses in which an arm reaches its goal"},
    {Panel::Distribution, PanelTab::Analyse, "Joint-angle distribution", false, "bending along rows of joints"},
    {Panel::Solver, PanelTab::SetUp, "Solver", true, "the solver, its weights, options and caps"},
    {Panel::Figure, PanelTab::SetUp, "Figure", false, "the figure's own links, joints, lengths and sites"},
    {Panel::History, PanelTab::SetUp, "History", false, "the steps that can be undone"},
    {Panel::Live, PanelTab::SetUp, "Live", false, "motion from other programs, and the pose for them"},
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

}  // namespace limber::app
