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

constexpr std::size_t kFewSteps = 16;  // around the present one, until the user asks for all

/// Text of a step; step 0 is the document at the beginning of the history.
std::string stepText(const History& history, int step) {
  const std::string label = step == 0 ? std::string("as it began") : history.label(step - 1);
  return std::to_string(step) + "  " + label + "##" + std::to_string(step);
}

void drawSteps(const History& history, CommandQueue& queue) {
  const int present = history.presentStep();
  const auto drawStep = [&](std::size_t i) {
    const int step = static_cast<int>(i);
    if (step > present) ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
    if (ImGui::Selectable(stepText(history, step).c_str(), step == present) && step != present)
      queue.add(Command::GoToStep, step);
    if (step > present) ImGui::PopStyleColor();
    const int away = std::abs(step - present);
    if (away > 0)
      tooltip((step < present ? "undo " : "redo ") + std::to_string(away) + (away == 1 ? " step" : " steps"));
  };
  someRows("steps", static_cast<std::size_t>(history.stepCount()) + 1, kFewSteps, ImGui::GetTextLineHeightWithSpacing(),
           drawStep, static_cast<std::size_t>(present));
}

}  // namespace

void drawHistory(const Session& session, CommandQueue& queue) {
  const History& history = session.editor.history();
  if (history.stepCount() == 0) return disabledText("there is nothing to undo yet");
  drawSteps(history, queue);
}

}  // namespace limber::app
