// SPDX-License-Identifier: MIT
#include "app/panels/panels.h"

#include <imgui.h>

#include <cmath>
#include <utility>

#include "app/panels/distribution_panel.h"
#include "app/panels/figure_editor_panel.h"
#include "app/panels/splitters.h"
#include "app/panels/widgets.h"
#include "app/viewing.h"

namespace limber::app {

namespace {

constexpr ImGuiWindowFlags kFixed = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                                    ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoBringToFrontOnFocus |
                                    ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav;

/// Between whole pixels, so that neighbours leave no gap.
void place(const Rectangle& r) {
  const auto whole = [](double v) { return static_cast<float>(std::round(v)); };
  const ImVec2 corner(whole(r.x), whole(r.y));
  ImGui::SetNextWindowPos(corner);
  ImGui::SetNextWindowSize(ImVec2(whole(r.x + r.width) - corner.x, whole(r.y + r.height) - corner.y));
}

/// One panel of the right column, under a header that folds it; whether it is open is remembered.
template <typename Draw>
void foldedPanel(const char* title, bool open, Settings& settings, Draw draw) {
  const bool wasOpen = isPanelOpen(settings, title, open);
  ImGui::SetNextItemOpen(wasOpen);
  ImGui::PushStyleColor(ImGuiCol_Header, presentTheme.header);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                      ImVec2(0.3f * ImGui::GetFontSize(), ImGui::GetStyle().FramePadding.y));
  const bool isOpen = ImGui::CollapsingHeader(title);
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  if (isOpen != wasOpen) rememberPanel(settings, title, isOpen);
  if (!isOpen) return;
  ImGui::PushID(title);
  draw();
  ImGui::PopID();
  ImGui::Dummy(ImVec2(0.0f, 0.2f * ImGui::GetFontSize()));
}

void drawColumn(const Session& session, UiState& ui, Settings& settings, Requests& requests) {
  const PanelVisibility& visible = settings.visible;
  const auto section = [&](const char* title, bool open, auto draw) { foldedPanel(title, open, settings, draw); };
  if (session.document().motion && session.document().motion->frameCount > 0)
    section("Motion", true, [&] { drawMotion(session, ui, requests); });
  if (ui.fit.plan) section("Fit", true, [&] { drawFit(session, ui, requests); });
  if (visible.goals) section("Goals", true, [&] { drawGoals(session, ui, requests); });
  if (visible.goals && !session.document().pins.empty()) section("Pins", true, [&] { drawPins(session, requests); });
  if (visible.poses) {
    const bool isAskedFor = std::exchange(ui.poses.reveal, false);
    if (isAskedFor) rememberPanel(settings, "Poses", true);
    section("Poses", false, [&] { drawPoses(session, ui, requests); });
    if (isAskedFor) ImGui::SetScrollHereY(1.0f);
  }
  if (visible.world) section("World", true, [&] { drawWorld(session, ui, settings, requests); });
  if (visible.why) section("Why does it stop here?", true, [&] { drawWhy(session, requests); });
  if (visible.global && !session.document().goals.empty()) {
    const bool isAskedFor = std::exchange(ui.revealGlobal, false);
    if (isAskedFor) rememberPanel(settings, "Global", true);
    section("Global", true, [&] { drawGlobal(session, requests); });
    if (isAskedFor) ImGui::SetScrollHereY(1.0f);
  }
  if (visible.workspace) {
    const bool isAskedFor = std::exchange(ui.revealWorkspace, false);
    if (isAskedFor) rememberPanel(settings, "Workspace", true);
    section("Workspace", false, [&] { drawWorkspace(session, ui, settings, requests); });
    if (isAskedFor) ImGui::SetScrollHereY(1.0f);
  }
  if (visible.joint) section("Joint", true, [&] { drawJoint(session, ui, requests); });
  if (visible.history) section("History", false, [&] { drawHistory(session, ui, requests); });
  if (visible.figure) section("Figure editor", false, [&] { drawFigureEditor(session, ui, requests); });
  if (visible.solver) section("Solver", true, [&] { drawSolver(session, ui, requests); });
  if (visible.convergence) section("Convergence", true, [&] { drawConvergencePanel(session, ui); });
  if (visible.distribution)
    if (const auto rows = distributions(*session.document().figure); !rows.empty())
      section("Joint-angle distribution", true, [&] { drawDistributions(session.document(), rows, requests); });
}

/// Arrows, Enter and Esc are for an open menu or list; without one, and in dialogs, they keep their own meanings.
void leadByKeyboard(bool leads) {
  ImGuiConfigFlags& flags = ImGui::GetIO().ConfigFlags;
  flags = leads ? flags | ImGuiConfigFlags_NavEnableKeyboard : flags & ~ImGuiConfigFlags_NavEnableKeyboard;
}

}  // namespace

Layout drawPanels(const Session& session, UiState& ui, Settings& settings, const FrameTimes& times,
                  Requests& requests) {
  ui.now = session.now;
  ui.unit = settings.unit;
  ui.poses.isOpen = ui.poses.hasArrowKeys = false;
  ui.poses.pictureWanted = -1;
  ui.isPopupOpen = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
  ui.isDialogOpen = false;
  const float menuHeight = drawMenuBar(session, settings, ui, requests);
  const bool isDragging = session.pointer.gesture == Pointer::Gesture::Dragging || session.pointer.following;
  if (!isDragging) ui.isRaceShown = settings.visible.race;
  if (!isDragging) ui.isTimelineShown = settings.visible.timeline;
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const Layout layout = divideWindow(size.x, size.y, ImGui::GetFontSize(), menuHeight,
                                     {.tree = settings.visible.tree,
                                      .panels = settings.visible.panels,
                                      .race = ui.isRaceShown,
                                      .timeline = ui.isTimelineShown,
                                      .sizes = settings.sizes});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);  // nothing is drawn behind the corners of these
  if (layout.tree.width > 0.0) {
    place(layout.tree);
    if (ImGui::Begin("##tree", nullptr, kFixed)) drawFigureTree(session, ui, requests);
    ImGui::End();
  }
  if (layout.panels.width > 0.0) {
    place(layout.panels);
    if (ImGui::Begin("##panels", nullptr, kFixed)) drawColumn(session, ui, settings, requests);
    ImGui::End();
  }
  if (layout.race.height > 0.0) {
    place(layout.race);
    if (ImGui::Begin("##race", nullptr, kFixed | ImGuiWindowFlags_NoScrollbar))
      drawRace(session, ui, settings, requests);
    ImGui::End();
  }
  if (layout.timeline.height > 0.0) {
    place(layout.timeline);
    if (ImGui::Begin("##timeline", nullptr, kFixed)) drawTimeline(session, ui, requests);
    ImGui::End();
  }
  if (!isDragging) drawSplitters(layout, ImGui::GetFontSize(), settings.sizes);
  drawRaceLabels(session, layout.picture);
  if (showsPlane(session)) drawPlaneAxes(session, layout.picture);
  else drawViewCube(session, layout.picture, requests);
  place(layout.status);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0.7f * ImGui::GetFontSize(), 0.0f));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1.0f, 1.0f));
  ImGui::PushStyleColor(ImGuiCol_WindowBg, ImGui::GetStyleColorVec4(ImGuiCol_MenuBarBg));
  if (ImGui::Begin("##status", nullptr, kFixed | ImGuiWindowFlags_NoScrollbar)) drawStatusBar(session, times);
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(3);
  drawMessage(session, ui, layout.picture);
  drawJob(session, layout.picture, requests);
  drawKeys(ui, settings);
  drawIterations(session, ui);
  drawFileBrowser(session, ui, requests);
  drawDialogs(session, ui, requests);
  leadByKeyboard(ui.isPopupOpen && !ui.isDialogOpen && !ui.browser.isOpen);
  ui.closePopups = ui.isEscape = false;
  return layout;
}

}  // namespace limber::app
