// SPDX-License-Identifier: MIT
// Lists the steps that can be undone and redone, the newest last; a click goes to a step.
#include <imgui.h>

#include <algorithm>
#include <string>
#include <utility>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"

namespace limber::app {

namespace {

/// Text of a step; step 0 is the document at the beginning of the history.
std::string stepText(const History& history, int step) {
  const std::string label = step == 0 ? std::string("as it began") : history.label(step - 1);
  return std::to_string(step) + "  " + label + "##" + std::to_string(step);
}

void drawSteps(const History& history, UiState& ui, CommandQueue& queue) {
  const int present = history.presentStep();
  const bool isNew = std::exchange(ui.historyAt, present) != present;
  const float row = ImGui::GetTextLineHeightWithSpacing();
  if (isNew) ImGui::SetScrollY(std::max(0.0f, static_cast<float>(present) * row - 0.5f * ImGui::GetWindowHeight()));
  rowsInSight(static_cast<std::size_t>(history.stepCount()) + 1, row, [&](std::size_t i) {
    const int step = static_cast<int>(i);
    if (step > present) ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
    if (ImGui::Selectable(stepText(history, step).c_str(), step == present) && step != present)
      queue.add(Command::GoToStep, step);
    if (step > present) ImGui::PopStyleColor();
    const int away = std::abs(step - present);
    if (away > 0)
      tooltip((step < present ? "undo " : "redo ") + std::to_string(away) + (away == 1 ? " step" : " steps"));
  });
}

}  // namespace

void drawHistory(const Session& session, UiState& ui, CommandQueue& queue) {
  const History& history = session.editor.history();
  if (history.stepCount() == 0) return disabledText("there is nothing to undo yet");
  drawSteps(history, ui, queue);
}

}  // namespace limber::app
