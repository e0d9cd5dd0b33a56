// SPDX-License-Identifier: MIT
// The reachable workspace: the end effector and resolution of the map, the progress of the search, and the result.
#include <imgui.h>

#include <string>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"

namespace limber::app {

namespace {

std::string cellText(const ReachMap& map, LengthUnit unit) {
  const std::string edge = lengthText(map.edge, unit);
  return std::to_string(map.size[0]) + (map.isPlanar ? " x " + std::to_string(map.size[1]) + " squares of " + edge
                                                     : " x " + std::to_string(map.size[1]) + " x " +
                                                           std::to_string(map.size[2]) + " cubes of " + edge);
}

void drawReachPlan(const Session& session, UiState& ui, Settings& settings) {
  const ReachPlan& plan = session.services.reaching.plan();
  rowLabel("End effector", "of the selected goal, else of the selected link");
  ImGui::TextUnformatted(plan.endEffector.c_str());
  rowLabel("Cells across", "resolution of the map: more cells are finer and take longer", kResetEms);
  double cells = settings.reachCells;
  if (editNumber("##cells", cells, {.minimum = kMinReachCells, .maximum = kMaxReachCells, .format = "%.0f"}, ui))
    settings.reachCells = static_cast<int>(cells + 0.5);
  if (resetButton("##reset cells", settings.reachCells == kReachCells)) settings.reachCells = kReachCells;
  if (!plan.fault.empty()) return wrappedNote("No workspace: " + plan.fault + ".");
  disabledText("%s", cellText(plan.grid, settings.unit).c_str());
  tooltip("the grid, whose cell size is the accuracy of the map");
}

void drawReachSearch(const Session& session, CommandQueue& queue) {
  const Reaching& reaching = session.services.reaching;
  if (!reaching.isRunning()) {
    commandButton(Command::FindWorkspace, session, queue, reaching.found() ? "Find again" : "Find", nullptr,
                  reaching.plan().fault.empty());
    return;
  }
  const Job::Status status = reaching.status();
  if (button("Cancel", "ends the search (Esc) and shows what has been found so far"))
    queue.add(Command::CancelWorkspace);
  ImGui::SameLine();
  char text[32];
  std::snprintf(text, sizeof text, "%.1f s", status.seconds);
  ImGui::ProgressBar(static_cast<float>(status.part), ImVec2(-1.0f, 0.0f), text);
  if (!status.what.empty()) wrappedNote(status.what);
}

/// A legend row: a patch in the colour of the shell, its meaning and a count.
void legendRow(bool isProved, const char* label, int count, const char* tip) {
  const float em = ImGui::GetFontSize();
  const ImVec2 corner = ImGui::GetCursorScreenPos(), end(corner.x + 1.4f * em, corner.y + em);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImVec4 color = isProved ? colors::kAccent : colors::kAmber;
  color.w = isProved ? 0.75f : 0.35f;
  list.AddRectFilled(corner, end, ImGui::GetColorU32(color));
  if (!isProved) {
    list.PushClipRect(corner, end, true);
    for (float at = corner.x - em; at < end.x; at += 0.4f * em)
      list.AddLine(ImVec2(at, end.y), ImVec2(at + em, corner.y), ImGui::GetColorU32(colors::kAmber), 0.12f * em);
    list.PopClipRect();
  }
  ImGui::Dummy(ImVec2(1.4f * em, em));
  ImGui::SameLine();
  ImGui::TextUnformatted(label);
  tooltip(tip);
  textAtRight(std::to_string(count));
}

void drawFoundReach(const FoundReach& found, UiState& ui, Settings& settings, CommandQueue& queue) {
  const ReachMap& map = found.answer.map;
  const auto [undecided, reachable, notFound, outside] = map.counts();
  wrappedNote(inUnit(sentenceOf(map), settings.unit) + ".");
  legendRow(true, "beyond: proved outside", outside, "cells that are proved to be out of reach of every pose");
  legendRow(false, undecided > 0 ? "beyond: not found, undecided" : "beyond: not found", notFound + undecided,
            "cells that no solve reached, though they are not proved to be out of reach");
  ImGui::Checkbox("Show", &ui.workspace.showsShell);
  ImGui::SameLine();
  ImGui::SetNextItemWidth(-1.0f);
  double percent = 100.0 * settings.reachOpacity;
  if (editNumber("##opacity", percent, {.minimum = 5.0, .maximum = 100.0, .format = "%.0f %% opaque"}, ui))
    settings.reachOpacity = 0.01 * percent;
  tooltip("opacity of the shell");
  if (button("Export PLY ...", "writes the shell as triangles, each marked whether nothing beyond it can be reached"))
    queue.add(Command::SaveShell);
  ImGui::SameLine();
  if (button("Forget", "removes the map and its shell")) queue.add(Command::ForgetWorkspace);
}

}  // namespace

void drawWorkspace(const Session& session, UiState& ui, Settings& settings, CommandQueue& queue) {
  ui.workspace.isShown = true;
  drawReachPlan(session, ui, settings);
  drawReachSearch(session, queue);
  if (const FoundReach* found = session.services.reaching.found()) return drawFoundReach(*found, ui, settings, queue);
  if (!session.services.reaching.isRunning())
    wrappedNote("Maps where the end effector can go. The map is removed when limits, locks or pins change.");
}

}  // namespace limber::app
