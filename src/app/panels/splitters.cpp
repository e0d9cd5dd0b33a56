// SPDX-License-Identifier: MIT
#include "app/panels/panels.h"

#include <imgui.h>

#include <algorithm>

#include "app/panels/widgets.h"

namespace limber::app {

namespace {

constexpr double kGripEms = 0.4;  // across the edge

/// One edge. A drag sets `size`, in ems, to the distance of the mouse from `origin` in the direction of `sign`.
void splitter(const char* id, const Rectangle& edge, bool isUpright, double origin, double sign, double em,
              double least, double& size) {
  const double half = 0.5 * kGripEms * em;
  const Rectangle grip = isUpright ? Rectangle{edge.x - half, edge.y, 2.0 * half, edge.height}
                                   : Rectangle{edge.x, edge.y - half, edge.width, 2.0 * half};
  if (grip.width < 1.0 || grip.height < 1.0) return;
  const ImVec2 corner(static_cast<float>(grip.x), static_cast<float>(grip.y));
  const ImVec2 extent(static_cast<float>(grip.width), static_cast<float>(grip.height));
  ImGui::SetNextWindowPos(corner);
  ImGui::SetNextWindowSize(extent);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0.0f, 0.0f));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1.0f, 1.0f));
  const bool isOpen =
      ImGui::Begin(id, nullptr,
                   ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoBackground |
                       ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoFocusOnAppearing);
  ImGui::PopStyleVar(2);
  if (isOpen) {
    ImGui::InvisibleButton("##edge", extent);
    const bool isHeld = ImGui::IsItemActive();
    if (isHeld || ImGui::IsItemHovered()) {
      ImGui::SetMouseCursor(isUpright ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
      const ImVec2 end(corner.x + extent.x, corner.y + extent.y);
      const ImVec2 middle(0.5f * (corner.x + end.x), 0.5f * (corner.y + end.y));
      ImGui::GetWindowDrawList()->AddLine(isUpright ? ImVec2(middle.x, corner.y) : ImVec2(corner.x, middle.y),
                                          isUpright ? ImVec2(middle.x, end.y) : ImVec2(end.x, middle.y),
                                          ImGui::GetColorU32(colors::kAccent), 2.0f);
    }
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (isHeld && ImGui::IsMouseDragging(0))
      size = std::clamp(sign * ((isUpright ? mouse.x : mouse.y) - origin) / em, least, kMaxPartEms);
    if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(0)) size = 0.0;
    if (!isHeld) tooltip("drag to resize, double-click for the default size");
  }
  ImGui::End();
}

}  // namespace

void drawSplitters(const Layout& layout, double em, PartSizes& sizes) {
  const Rectangle &tree = layout.tree, &panels = layout.panels;
  const Rectangle &timeline = layout.timeline, &race = layout.race;
  if (tree.width > 0.0)
    splitter("##tree edge", {tree.x + tree.width, tree.y, 0.0, tree.height}, true, tree.x, 1.0, em, kLeastEms,
             sizes.tree);
  if (panels.width > 0.0)
    splitter("##panels edge", panels, true, panels.x + panels.width, -1.0, em, kLeastEms, sizes.panels);
  if (timeline.height > 0.0)
    splitter("##timeline edge", timeline, false, timeline.y + timeline.height, -1.0, em, kLeastTimelineEms,
             sizes.timeline);
  if (race.height > 0.0)
    splitter("##race edge", race, false, race.y + race.height, -1.0, em, kLeastRaceEms, sizes.race);
}

}  // namespace limber::app
