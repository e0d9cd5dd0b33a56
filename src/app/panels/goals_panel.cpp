// SPDX-License-Identifier: MIT
#include <imgui.h>

#include <algorithm>
#include <string>
#include <utility>

#include "app/panels/goal_details.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "limber/problem/goal_error.h"
#include "limber/problem/goal_types.h"

namespace limber::app {

namespace {

constexpr std::size_t kFewRows = 8;  // shown until the user asks for all

/// The last solve's report on the goal; null without a report for the present pose.
const GoalReport* reportOf(const Session& session, const GoalItem& goal) {
  const PosingReport* report = session.solving.reportFor(session.document());
  if (!report) return nullptr;
  const auto found =
      std::find_if(report->goals.begin(), report->goals.end(), [&](const GoalReport& r) { return r.id == goal.id; });
  return found == report->goals.end() ? nullptr : &*found;
}

/// "on a plane, weight 2, group A: enabled"
std::string aboutText(const Session& session, const GoalItem& goal) {
  std::string text = pictureOf(session.document(), goal) ? "seen in a picture" : infoOf(goal.type).label;
  if (goal.weight != 1.0) {
    char weight[32];
    std::snprintf(weight, sizeof weight, ", weight %.3g", goal.weight);
    text += weight;
  }
  if (goal.preference) text += ", preference";
  else if (goal.priority > 1) text += ", priority " + std::to_string(goal.priority);
  if (goal.anyOf < 0) return text;
  text += ", group " + groupName(goal.anyOf);
  if (const GoalReport* report = reportOf(session, goal)) text += report->live ? ": enabled" : ": disabled";
  return text;
}

void drawGoal(const Session& session, const GoalItem& goal, CommandQueue& queue) {
  const Document& document = session.document();
  const GoalError error = goalErrorOf(document, session.picture.kinematics, goal);
  const GoalReport* report = reportOf(session, goal);
  const bool isMet = limber::isMet(document, error), isIdle = !goal.enabled || (report && !report->live);
  const bool isSelected = document.selection.goal == goal.id;
  ImGui::PushID(goal.id);
  statusMark(isMet);
  tooltip(isMet ? "met" : "not met");
  ImGui::SameLine();
  bool enabled = goal.enabled;
  if (ImGui::Checkbox("##enabled", &enabled))
    editGoal(queue, enabled ? "enable goal" : "disable goal", "", goal.id,
             [enabled](GoalItem& g) { g.enabled = enabled; });
  tooltip("the goal is enabled");
  ImGui::SameLine();
  const float left = ImGui::GetCursorPosX(), right = ImGui::GetContentRegionMax().x - ImGui::GetFrameHeight();
  ImGui::AlignTextToFramePadding();
  if (isIdle) ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
  const float nameWidth = std::max(right - left - 0.4f * ImGui::GetFontSize(), 1.0f);
  if (ImGui::Selectable(titleOf(goal).c_str(), isSelected, 0, ImVec2(nameWidth, 0.0f)))
    queue.add(Command::Select, Selection{-1, goal.id});
  tooltip(titleOf(goal) + ": " + infoOf(goal.type).about);
  if (isIdle) ImGui::PopStyleColor();
  ImGui::SameLine(right);
  if (crossButton("##remove", "remove this goal"))
    queue.edit("remove goal", "", AfterEdit::Nothing, [id = goal.id](Document& d) { removeGoal(d, id); });
  ImGui::SetCursorPosX(left);
  const ImVec4 color = isIdle ? ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled) : isMet ? colors::kMet : colors::kUnmet;
  ImGui::TextColored(color, "%s", errorText(error.length, error.angle, session.settings.unit).c_str());
  tooltip("the remaining error of the goal");
  ImGui::SameLine();
  fittedNote(aboutText(session, goal));
  ImGui::PopID();
}

void drawAddMenu(UiState& ui, CommandQueue& queue) {
  const bool isPlanting = ui.planting && ui.planting->clicks == Planting::Clicks::Goal;
  if (button(isPlanting ? "Click a point ..." : "Add goal ...",
             "choose a type of goal, then click the point of the figure; a new goal is met by the present pose")) {
    if (isPlanting) ui.planting.reset();
    else ImGui::OpenPopup("##add");
  }
  if (!ImGui::BeginPopup("##add")) return;
  for (const GoalTypeInfo& info : goalTypes()) {
    if (ImGui::MenuItem(info.label)) queue.add(Command::Plant, info.type);
    tooltip(info.about);
  }
  ImGui::EndPopup();
}

void drawRows(const Session& session, CommandQueue& queue) {
  const auto& goals = session.document().goals;
  const float row = ImGui::GetFrameHeightWithSpacing() + ImGui::GetTextLineHeightWithSpacing();
  const auto selected = std::ranges::find(goals, session.document().selection.goal, &GoalItem::id);
  const auto focus = selected == goals.end() ? 0 : static_cast<std::size_t>(selected - goals.begin());
  someRows(
      "rows", goals.size(), kFewRows, row, [&](std::size_t i) { drawGoal(session, goals[i], queue); }, focus);
}

}  // namespace

void drawGoals(const Session& session, UiState& ui, Settings& settings, CommandQueue& queue) {
  drawAddMenu(ui, queue);
  ImGui::SameLine();
  if (toggleButton("Follow", session.document().follow, tipOf(Command::ToggleFollow, session).c_str()))
    queue.add(Command::ToggleFollow);
  if (session.document().goals.empty()) {
    wrappedNote("There are no goals: whatever you drag follows the mouse, and stays there.");
    return;
  }
  drawRows(session, queue);
  const bool scrolls = std::exchange(ui.goals.scrolls, false);
  const GoalItem* selected = findGoal(session.document(), session.document().selection.goal);
  if (!selected) return;
  const float top = ImGui::GetCursorPosY();
  ImGui::Separator();
  drawGoalDetails(session, *selected, ui, settings, queue);
  if (scrolls) scrollIntoView(top, ImGui::GetCursorPosY());
}

}  // namespace limber::app
