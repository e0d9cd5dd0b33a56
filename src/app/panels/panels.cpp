// SPDX-License-Identifier: MIT
#include "app/panels/panels.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/panels/timeline_lanes.h"
#include "app/settings/theme.h"
#include "app/stage/viewing.h"
#include "app/tools/tools.h"

namespace limber::app {

namespace {

constexpr ImGuiWindowFlags kFixed = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                                    ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoBringToFrontOnFocus |
                                    ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav;

/// Draws a part of the window, rounded to whole pixels so that neighbours leave no gap.
template <typename Draw>
void drawWindow(const char* id, const Rectangle& r, ImGuiWindowFlags flags, Draw draw) {
  const auto whole = [](double v) { return static_cast<float>(std::round(v)); };
  const ImVec2 corner(whole(r.x), whole(r.y));
  ImGui::SetNextWindowPos(corner);
  ImGui::SetNextWindowSize(ImVec2(whole(r.x + r.width) - corner.x, whole(r.y + r.height) - corner.y));
  if (ImGui::Begin(id, nullptr, kFixed | flags)) draw();
  ImGui::End();
}

/// Enables ImGui's keyboard navigation, by which arrows, Enter and Esc control an open menu, list or dialog. Without
/// one these keys keep their other meanings.
void leadByKeyboard(bool leads) {
  ImGuiConfigFlags& flags = ImGui::GetIO().ConfigFlags;
  flags = leads ? flags | ImGuiConfigFlags_NavEnableKeyboard : flags & ~ImGuiConfigFlags_NavEnableKeyboard;
}

bool isAnyPopupOpen() { return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel); }

/// Where the window shows a pixel of the picture.
ImVec2 onScreen(const Session& session, const Rectangle& picture, double x, double y) {
  const double perPixel = picture.width / std::max(session.picture.area.width, 1.0);
  return {static_cast<float>(picture.x + x * perPixel), static_cast<float>(picture.y + y * perPixel)};
}

/// Draws what the tools show over the picture: edges that determine a camera, the box of a selection.
void drawTools(const Session& session, const Rectangle& picture) {
  const Overlay overlay = overlayOf(session);
  const auto at = [&](const Eigen::Vector2d& pixel) { return onScreen(session, picture, pixel.x(), pixel.y()); };
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  const float em = ImGui::GetFontSize();
  for (const Overlay::Line& line : overlay.lines) {
    const ImU32 color = ImGui::GetColorU32(line.isSecond ? colors::kAccent : colors::kAmber);
    list.AddLine(at(line.ends[0]), at(line.ends[1]), color, 0.12f * em);
    for (const Eigen::Vector2d& end : line.ends) list.AddCircleFilled(at(end), 0.28f * em, color);
  }
  if (!overlay.box) return;
  const ImVec2 low = at((*overlay.box)[0].cwiseMin((*overlay.box)[1]));
  const ImVec2 high = at((*overlay.box)[0].cwiseMax((*overlay.box)[1]));
  list.AddRectFilled(low, high, ImGui::GetColorU32(withOpacity(colors::kAccent, 0.12f)));
  list.AddRect(low, high, ImGui::GetColorU32(colors::kAccent), 0.0f, 0, 1.5f);
}

}  // namespace

Layout drawPanels(const Session& session, UiState& ui, Settings& settings, const FrameTimes& times,
                  CommandQueue& queue) {
  ui.unit = settings.unit;
  ui.world = shownWorld(settings.worldAxes, *session.document().figure);
  ui.poses.isOpen = ui.poses.hasArrowKeys = ui.workspace.isShown = ui.ways.isShown = false;
  ui.poses.pictureWanted = ui.ways.pictureWanted = ui.ways.hovered = -1;
  ui.examples.isOpen = false;
  ui.tree.hoveredRow.clear();
  ui.popups.isOpen = isAnyPopupOpen();
  ui.popups.isDialogOnTop = false;
  const float menuHeight = drawMenuBar(session, settings, ui, queue);
  const bool isDragging = session.pointer.moved() != nullptr;
  if (!isDragging) ui.race.isShown = settings.visible.race;
  if (!isDragging) ui.timeline.isShown = settings.visible.timeline;
  if (!isDragging) ui.timeline.lanes = ui.timeline.isShown ? static_cast<int>(lanesOf(session.document()).size()) : 0;
  if (ui.reveal) settings.visible.panels = true;
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const Layout layout = divideWindow(size.x, size.y, ImGui::GetFontSize(), menuHeight,
                                     {.tree = settings.visible.tree,
                                      .panels = settings.visible.panels,
                                      .race = ui.race.isShown,
                                      .timeline = ui.timeline.isShown,
                                      .curves = ui.timeline.showsCurves,
                                      .lanes = ui.timeline.lanes,
                                      .sizes = settings.sizes});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);  // nothing is drawn behind the corners of these windows
  if (layout.tree.width > 0.0) drawWindow("##tree", layout.tree, 0, [&] { drawFigureTree(session, ui, queue); });
  if (layout.panels.width > 0.0)
    drawWindow("##panels", layout.panels, 0, [&] { drawColumn(session, ui, settings, queue); });
  if (layout.race.height > 0.0)
    drawWindow("##race", layout.race, ImGuiWindowFlags_NoScrollbar, [&] { drawRace(session, ui, settings, queue); });
  if (layout.timeline.height > 0.0)
    drawWindow("##timeline", layout.timeline, 0, [&] { drawTimeline(session, ui, settings, queue); });
  if (!isDragging) drawSplitters(layout, ImGui::GetFontSize(), settings.sizes);
  drawTools(session, layout.picture);
  drawRaceLabels(session, layout.picture);
  drawTargetMarkers(session, layout.picture, queue);
  if (showsPlane(session)) drawPlaneAxes(session, layout.picture);
  else drawViewCube(session, layout.picture, queue);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0.7f * ImGui::GetFontSize(), 0.0f));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1.0f, 1.0f));
  ImGui::PushStyleColor(ImGuiCol_WindowBg, ImGui::GetStyleColorVec4(ImGuiCol_MenuBarBg));
  drawWindow("##status", layout.status, ImGuiWindowFlags_NoScrollbar, [&] { drawStatusBar(session, times); });
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(3);
  drawMessage(session, ui, layout.picture);
  drawJob(session, layout.picture, queue);
  drawKeys(ui, settings);
  drawIterations(session, ui);
  drawGuide(ui);
  drawFileBrowser(session, ui, queue);
  drawDialogs(session, ui, queue);
  leadByKeyboard(isAnyPopupOpen());
  ui.popups.closes = ui.popups.isEscape = false;
  return layout;
}

}  // namespace limber::app
