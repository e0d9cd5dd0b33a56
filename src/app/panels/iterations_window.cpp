// SPDX-License-Identifier: MIT
// A window with the convergence of the last solve and a table of its iterations that can be copied.
#include <imgui.h>

#include <algorithm>

#include "app/panels/iteration_table.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"

namespace limber::app {

namespace {

void drawRows(std::span<const IterationRecord> history, const Summary& summary) {
  constexpr ImGuiTableFlags kFlags =
      ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingStretchSame;
  if (!ImGui::BeginTable("##iterations", 6, kFlags)) return;
  ImGui::TableSetupScrollFreeze(0, 1);
  for (const char* title : {"iteration", "part", "f", "|gradient|", "|step|", "damping"})
    ImGui::TableSetupColumn(title);
  ImGui::TableHeadersRow();
  rowsInSight(history.size(), -1.0f, [&](std::size_t i) {
    const IterationRecord& record = history[i];
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::Text("%zu", i);
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(partOf(record, summary).c_str());
    for (const double value : {record.objective, record.gradientNorm, record.stepNorm, record.damping}) {
      ImGui::TableNextColumn();
      ImGui::Text("%.6g", value);
    }
  });
  ImGui::EndTable();
}

}  // namespace

void drawIterations(const Session& session, UiState& ui) {
  if (!ui.convergence.hasWindow) return;
  const float em = ImGui::GetFontSize();
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowSize(ImVec2(std::min(44.0f * em, 0.9f * screen.x), std::min(34.0f * em, 0.9f * screen.y)),
                           ImGuiCond_Appearing);
  ImGui::SetNextWindowPos(ImVec2(0.5f * screen.x, 0.5f * screen.y), ImGuiCond_Appearing, ImVec2(0.5f, 0.5f));
  if (ui.popups.isEscape && !ui.popups.isOpen) ui.convergence.hasWindow = false;
  if (ImGui::Begin("Convergence of the last solve", &ui.convergence.hasWindow,
                   ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings)) {
    const auto history = session.solving.historyFor(session.document());
    const Summary& summary = session.solving.posing().report().summary;
    drawConvergence(session, ui, std::max(0.5f * ImGui::GetContentRegionAvail().y, 6.0f * em));
    if (button("Copy the table", "copies all iterations for a spreadsheet, separated by tabs, with all digits",
               !history.empty()))
      ImGui::SetClipboardText(iterationTable(history, summary).c_str());
    drawRows(history, summary);
  }
  ImGui::End();
}

}  // namespace limber::app
