// SPDX-License-Identifier: MIT
// The right column: tabs, and below them the panels of the chosen tab, each as high as its contents. Only the column
// scrolls.
#include <imgui.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "app/panels/distribution_panel.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"

namespace limber::app {

namespace {

/// True for a panel that has contents; some panels are hidden while they are empty.
bool isPanelThere(Panel panel, const Session& session, const UiState& ui) {
  const Document& document = session.document();
  switch (panel) {
    case Panel::Fit: return ui.fit.plan.has_value();
    case Panel::Reference: return !document.pictures.empty();
    case Panel::Distribution: return !distributions(*document.figure).empty();
    default: return true;
  }
}

void drawContents(Panel panel, const Session& session, UiState& ui, Settings& settings, CommandQueue& queue) {
  switch (panel) {
    case Panel::Tour: return drawTour(session, ui, settings);
    case Panel::Examples: return drawExamples(ui, queue);
    case Panel::Fit: return drawFit(session, ui, queue);
    case Panel::Reference: return drawReference(session, ui, queue);
    case Panel::Poses: return drawPoses(session, ui, queue);
    case Panel::Joint: return drawJoint(session, ui, queue);
    case Panel::Goals: return drawGoals(session, ui, settings, queue);
    case Panel::Pins: return drawPins(session, queue);
    case Panel::World: return drawWorld(session, ui, settings, queue);
    case Panel::Why: return drawWhy(session, queue);
    case Panel::Convergence: return drawConvergencePanel(session, ui);
    case Panel::Race: return drawRaceSwitch(session, queue);
    case Panel::Global: return drawGlobal(session, queue);
    case Panel::Workspace: return drawWorkspace(session, ui, settings, queue);
    case Panel::Ways: return drawWays(session, ui, queue);
    case Panel::Distribution:
      return drawDistributions(session.document(), distributions(*session.document().figure), queue);
    case Panel::Solver: return drawSolver(session, ui, queue);
    case Panel::Figure: return drawFigureEditor(session, ui, queue);
    case Panel::History: return drawHistory(session, queue);
    case Panel::Live: return drawLive(session, ui, settings, queue);
  }
}

/// One tab; a bar below marks the chosen one, so that colour is not its only mark.
bool tabButton(PanelTab tab, bool isChosen, float width) {
  const float em = ImGui::GetFontSize(), height = 1.9f * em;
  const char* title = kTabTitles[static_cast<std::size_t>(tab)];
  const ImVec2 corner = ImGui::GetCursorScreenPos(), end(corner.x + width, corner.y + height);
  const bool isClicked = ImGui::InvisibleButton(title, ImVec2(width, height));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (ImGui::IsItemHovered()) list.AddRectFilled(corner, end, ImGui::GetColorU32(presentTheme.rowHovered), 0.25f * em);
  const ImVec2 size = ImGui::CalcTextSize(title);
  const ImU32 color = ImGui::GetColorU32(isChosen ? ImGuiCol_Text : ImGuiCol_TextDisabled);
  list.AddText(ImVec2(corner.x + 0.5f * (width - size.x), corner.y + 0.5f * (height - size.y)), color, title);
  list.AddLine(ImVec2(corner.x, end.y), end, ImGui::GetColorU32(faintLine(0.12f)));
  if (isChosen) list.AddRectFilled(ImVec2(corner.x, end.y - 0.17f * em), end, ImGui::GetColorU32(colors::kAccent));
  return isClicked;
}

void drawTabs(Settings& settings) {
  float room = ImGui::GetContentRegionAvail().x;  // that the titles leave
  for (const char* title : kTabTitles) room -= ImGui::CalcTextSize(title).x;
  for (std::size_t i = 0; i < std::size(kTabTitles); ++i) {
    const auto tab = static_cast<PanelTab>(i);
    const float share = std::max(room, 0.0f) / static_cast<float>(std::size(kTabTitles));
    if (i > 0) ImGui::SameLine(0.0f, 0.0f);
    if (tabButton(tab, settings.tab == tab, ImGui::CalcTextSize(kTabTitles[i]).x + share)) settings.tab = tab;
  }
}

bool isOpen(const PanelEntry& entry, const Settings& settings) {
  return isPanelOpen(settings, entry.title, entry.isOpen);
}

/// Draws a panel's header, which folds the panel; the settings remember whether it is open.
void drawHeader(const PanelEntry& entry, Settings& settings) {
  const bool wasOpen = isOpen(entry, settings);
  ImGui::SetNextItemOpen(wasOpen);
  ImGui::PushStyleColor(ImGuiCol_Header, presentTheme.header);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                      ImVec2(0.3f * ImGui::GetFontSize(), ImGui::GetStyle().FramePadding.y));
  const bool isNowOpen = ImGui::CollapsingHeader(entry.title);
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  tooltip(entry.tip);
  if (isNowOpen != wasOpen) rememberPanel(settings, entry.title, isNowOpen);
}

/// Draws the contents of an open panel, or leaves their room if they are out of sight.
void drawPanel(const PanelEntry& entry, bool isAsked, const Session& session, UiState& ui, Settings& settings,
               CommandQueue& queue) {
  ImGui::PushID(entry.title);
  ImGuiStorage& storage = *ImGui::GetStateStorage();
  const ImGuiID key = ImGui::GetID("height");
  const float last = storage.GetFloat(key, 0.0f), gap = ImGui::GetStyle().ItemSpacing.y;
  if (last > 0.0f && !isAsked && !ImGui::IsRectVisible(ImVec2(1.0f, last))) {
    ImGui::Dummy(ImVec2(0.0f, last - gap));
  } else {
    const float top = ImGui::GetCursorPosY();
    drawContents(entry.panel, session, ui, settings, queue);
    ImGui::Dummy(ImVec2(0.0f, gap));
    storage.SetFloat(key, ImGui::GetCursorPosY() - top);
  }
  ImGui::PopID();
}

}  // namespace

void drawColumn(const Session& session, UiState& ui, Settings& settings, CommandQueue& queue) {
  const auto asked = std::exchange(ui.reveal, std::nullopt);
  if (asked) {
    settings.tab = entryOf(*asked).tab;
    rememberPanel(settings, entryOf(*asked).title, true);
  }
  drawTabs(settings);
  const char* tab = kTabTitles[static_cast<std::size_t>(settings.tab)];
  // The bar is always there, so that the width and with it the heights do not depend on it.
  if (ImGui::BeginChild(tab, ImVec2(0.0f, 0.0f), false, ImGuiWindowFlags_AlwaysVerticalScrollbar)) {
    for (const PanelEntry& entry : panelList()) {
      if (entry.tab != settings.tab || !isPanelThere(entry.panel, session, ui)) continue;
      const float top = ImGui::GetCursorPosY();
      drawHeader(entry, settings);
      const bool isAsked = asked == entry.panel;
      if (isOpen(entry, settings)) drawPanel(entry, isAsked, session, ui, settings, queue);
      if (isAsked && !ui.goals.scrolls) scrollIntoView(top, ImGui::GetCursorPosY());
    }
  }
  ImGui::EndChild();
}

}  // namespace limber::app
