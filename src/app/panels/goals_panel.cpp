// SPDX-License-Identifier: MIT
#include <imgui.h>

#include <algorithm>
#include <string>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"

namespace limber::app {

namespace {

/// Metres between the end effector and its target, from the kinematics of the pose as it is.
double errorOf(const Session& session, const GoalItem& goal) {
  const Transform& worldFromLink = session.kinematics.worldFromLink[static_cast<std::size_t>(goal.link)];
  return (worldFromLink * goal.pointInLink - goal.target).norm();
}

/// Three numbers in one row, red, green and blue by their axes.
void vectorRow(const char* label, const char* about, const Eigen::Vector3d& value, AfterEdit after, int id, UiState& ui,
               Requests& requests, Eigen::Vector3d GoalItem::*field) {
  ImGui::PushID(label);
  rowLabel(label, about);
  const float gap = 0.25f * ImGui::GetFontSize(), whole = ImGui::CalcItemWidth();
  const char* axes[3] = {"##x", "##y", "##z"};
  for (int axis = 0; axis < 3; ++axis) {
    if (axis > 0) ImGui::SameLine(0.0f, gap);
    ImGui::SetNextItemWidth((whole - 2.0f * gap) / 3.0f);
    ImGui::PushStyleColor(ImGuiCol_Text, colors::kAxes[axis]);
    double number = value[axis];
    const std::string gesture = gestureOf(axes[axis]);
    const NumberStyle style{.format = "%.3f", .speed = 0.005, .tooltip = about};
    const bool changed = editNumber(axes[axis], number, style, ui);
    ImGui::PopStyleColor();
    if (changed)
      requests.edit(label, gesture, after, [id, axis, number, field](Document& d) {
        if (GoalItem* goal = findGoal(d, id)) (goal->*field)[axis] = number;
      });
  }
  ImGui::PopID();
}

void drawDetails(const Session& session, const GoalItem& goal, UiState& ui, Requests& requests) {
  ImGui::Indent();
  disabledText("on %s", session.document().figure->link(goal.link).name.c_str());
  vectorRow("Target", "x, y, z of the target in the world, metres; double-click types", goal.target, AfterEdit::Solve,
            goal.id, ui, requests, &GoalItem::target);
  vectorRow("Point", "x, y, z of the point on its link, in the link's frame, metres", goal.pointInLink,
            AfterEdit::Solve, goal.id, ui, requests, &GoalItem::pointInLink);
  rowLabel("Weight", "how much this target counts beside the others", 1.8f);
  double weight = goal.weight;
  const std::string gesture = gestureOf("##weight");
  const auto set = [&](double value) {
    requests.edit("goal weight", gesture, AfterEdit::Solve, [id = goal.id, value](Document& d) {
      if (GoalItem* g = findGoal(d, id)) g->weight = value;
    });
  };
  if (editNumber("##weight", weight, {.minimum = 0.0, .maximum = 100.0, .format = "%.3g", .logarithmic = true}, ui))
    set(weight);
  if (resetButton("##reset", goal.weight == 1.0)) set(1.0);
  ImGui::Unindent();
}

void drawGoal(const Session& session, const GoalItem& goal, UiState& ui, Requests& requests) {
  const Document& document = session.document();
  const double error = errorOf(session, goal);
  const bool isMet = error <= document.solver.reachedTolerance * document.figure->meanLinkLength();
  const bool isSelected = document.selection.goal == goal.id;
  ImGui::PushID(goal.id);
  statusMark(isMet);
  tooltip(isMet ? "reached" : "not reached");
  ImGui::SameLine();
  bool enabled = goal.enabled;
  if (ImGui::Checkbox("##enabled", &enabled))
    requests.edit(enabled ? "enable goal" : "disable goal", "", AfterEdit::Solve, [id = goal.id, enabled](Document& d) {
      if (GoalItem* g = findGoal(d, id)) g->enabled = enabled;
    });
  tooltip("the goal counts");
  ImGui::SameLine();
  const float em = ImGui::GetFontSize(), right = ImGui::GetContentRegionMax().x;
  const float nameWidth = right - ImGui::GetCursorPosX() - 6.9f * em;
  const std::string name = goal.name.empty() ? "goal " + std::to_string(goal.id) : goal.name;
  if (ImGui::Selectable(name.c_str(), isSelected, 0, ImVec2(nameWidth, 0.0f))) requests.select = Selection{-1, goal.id};
  ImGui::SameLine(right - 6.4f * em);
  ImGui::AlignTextToFramePadding();
  ImGui::TextColored(isMet ? colors::kMet : colors::kUnmet, "%s", lengthText(error).c_str());
  tooltip("between the end effector and its target");
  ImGui::SameLine(right - ImGui::GetFrameHeight());
  if (crossButton("##remove", "remove this goal"))
    requests.edit("remove goal", "", AfterEdit::Nothing, [id = goal.id](Document& d) { removeGoal(d, id); });
  if (isSelected) drawDetails(session, goal, ui, requests);
  ImGui::PopID();
}

}  // namespace

void drawGoals(const Session& session, UiState& ui, Requests& requests) {
  if (toggleButton(ui.addGoalByClick ? "Click a point ..." : "Add by a click", ui.addGoalByClick,
                   "then click any point of the figure: it stays where it is now"))
    ui.addGoalByClick = !ui.addGoalByClick;
  ImGui::SameLine();
  if (toggleButton("Follow", session.document().follow,
                   "the target follows the mouse without a button; a click plants it (T)"))
    requests.act(Action::ToggleFollow);
  if (session.document().goals.empty()) {
    wrappedNote("Nothing is planted: what you drag goes where you pull it, and stays.");
    return;
  }
  for (const GoalItem& goal : session.document().goals) drawGoal(session, goal, ui, requests);
}

}  // namespace limber::app
