// SPDX-License-Identifier: MIT
// Explains the last solve: its outcome, the limits that hold the pose back, and the goals that are not met.
#include <imgui.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "app/editing/why.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"

namespace limber::app {

namespace {

constexpr std::size_t kFewReasons = 6;  // shown until the user asks for all

/// A row with a bar in the background, a name on the left and numbers on the right; true when clicked.
bool barRow(const char* name, const std::string& numbers, double share, const ImVec4& color, bool isSelected) {
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = ImGui::GetTextLineHeight();
  const float filled = static_cast<float>(std::clamp(share, 0.0, 1.0)) * width;
  const ImVec4 soft(color.x, color.y, color.z, 0.28f);
  ImGui::GetWindowDrawList()->AddRectFilled(corner, ImVec2(corner.x + filled, corner.y + height),
                                            ImGui::GetColorU32(soft), ImGui::GetStyle().FrameRounding);
  const float textWidth = ImGui::CalcTextSize(numbers.c_str()).x;
  const float left = ImGui::GetCursorPosX();
  const bool clicked = ImGui::Selectable(name, isSelected, ImGuiSelectableFlags_AllowItemOverlap,
                                         ImVec2(std::max(width - textWidth - 4.0f, 1.0f), 0.0f));
  const bool isHovered = ImGui::IsItemHovered();
  ImGui::SameLine(left + width - textWidth);
  ImGui::TextUnformatted(numbers.c_str());
  if (isHovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  return clicked;
}

void drawLimits(const Session& session, const PosingReport& report, CommandQueue& queue) {
  const Document& document = session.document();
  const Figure& figure = *document.figure;
  disabledText("What holds it back");
  if (report.activeLimits.empty()) return wrappedNote("No limit holds it.");
  const double largest = gainOf(figure, report.activeLimits.front());
  const float row = 2.0f * ImGui::GetTextLineHeightWithSpacing();
  someRows("limits", report.activeLimits.size(), kFewReasons, row, [&](std::size_t i) {
    const ActiveLimit& limit = report.activeLimits[i];
    const double gain = gainOf(figure, limit);
    const std::vector<int> joints = jointsOf(figure, limit);
    char numbers[32];
    std::snprintf(numbers, sizeof numbers, "f -%.3g", gain);
    const bool isSelected = std::find(joints.begin(), joints.end(), document.selection.joint) != joints.end();
    const double share = largest > 0.0 ? gain / largest : 0.0;
    if (barRow(ownerOf(document, limit).c_str(), numbers, share, colors::kAmber, isSelected) && !joints.empty())
      queue.add(Command::Select, Selection{joints.front(), -1});
    tooltip(isLengthLimit(figure, limit) ? "how much one millimetre more would reduce f; a click selects the joint"
                                         : "how much one degree more would reduce f; a click selects the joint");
    disabledText("   %s", inUnit(limitInWords(document, limit), session.settings.unit).c_str());
  });
}

void drawGoalShares(const Session& session, const PosingReport& report, CommandQueue& queue) {
  const Document& document = session.document();
  std::vector<GoalReport> goals = report.goals;
  std::stable_sort(goals.begin(), goals.end(),
                   [](const GoalReport& a, const GoalReport& b) { return a.objective > b.objective; });
  const double whole = report.summary.objective;
  char total[48];
  std::snprintf(total, sizeof total, "What is left: f = %.4g", whole);
  disabledText("%s", total);
  double named = 0.0;
  for (const GoalReport& goal : goals) named += goal.objective;
  const float row = 2.0f * ImGui::GetTextLineHeightWithSpacing();
  someRows("shares", goals.size(), kFewReasons, row, [&](std::size_t i) {
    const GoalReport& goal = goals[i];
    const GoalItem* item = findGoal(document, goal.id);
    const double share = whole > 0.0 ? goal.objective / whole : 0.0;
    char numbers[32], detail[96];
    std::snprintf(numbers, sizeof numbers, "%.0f %%", 100.0 * share);
    const bool isSelected = item && document.selection.goal == goal.id;
    if (barRow(nameOf(document, goal).c_str(), numbers, share, goal.reached ? colors::kMet : colors::kUnmet,
               isSelected)) {
      if (item) queue.add(Command::Select, Selection{document.selection.joint, goal.id});
      else if (goal.pinnedLink >= 0) queue.add(Command::Select, Selection{goal.pinnedLink, -1});
      else if (goal.heldLink >= 0) queue.add(Command::Select, Selection{goal.heldLink, -1});
    }
    tooltip("its share of f; a click selects it");
    const std::string left = errorText(goal.error > 0.0 || goal.angle == 0.0 ? goal.error : -1.0,
                                       goal.angle > 0.0 ? goal.angle : -1.0, session.settings.unit);
    if (item)
      std::snprintf(detail, sizeof detail, "   %s left, weight %.3g%s", left.c_str(), item->weight,
                    goal.live ? "" : ", disabled");
    else std::snprintf(detail, sizeof detail, "   %s left", left.c_str());
    disabledText("%s", detail);
  });
  if (whole > 0.0) disabledText("pull to the reference: %.0f %%", 100.0 * std::clamp(1.0 - named / whole, 0.0, 1.0));
  tooltip("the share of f for leaving the reference pose, by the rest weight");
}

}  // namespace

void drawWhy(const Session& session, CommandQueue& queue) {
  const PosingReport* report = session.solving.reportFor(session.document());
  if (!session.document().goals.empty()) commandButton(Command::Solve, session, queue);
  if (!report) {
    wrappedNote("Solve, drag something, or change a goal: this panel then says what holds the pose back.");
    return;
  }
  if (!session.document().goals.empty()) {
    ImGui::SameLine();
    commandButton(Command::Nudge, session, queue);
  }
  wrappedText(inUnit(outcomeInWords(session.document(), *report), session.settings.unit));
  drawLimits(session, *report, queue);
  if (!report->goals.empty()) drawGoalShares(session, *report, queue);
}

}  // namespace limber::app
