// SPDX-License-Identifier: MIT
// Left: the links as a tree, then the goals. A click selects.
#include <imgui.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"

namespace limber::app {

namespace {

struct Row {
  int link;
  int depth;
};

/// Links in the order of the tree. Only branches indent: a chain of a thousand stays readable.
std::vector<Row> rowsOf(const Figure& figure, const std::string& filter) {
  std::vector<Row> rows, open;
  for (int i = figure.linkCount() - 1; i >= 0; --i)
    if (figure.link(i).parent < 0) open.push_back({i, 0});
  while (!open.empty()) {
    const Row row = open.back();
    open.pop_back();
    if (filter.empty()) rows.push_back(row);
    else if (containsIgnoringCase(figure.link(row.link).name, filter)) rows.push_back({row.link, 0});
    const auto children = figure.children(row.link);
    const int depth = row.depth + (children.size() > 1 ? 1 : 0);
    for (std::size_t i = children.size(); i-- > 0;) open.push_back({children[i], depth});
  }
  return rows;
}

/// A small amber triangle at the end of the row: the joint stands on a limit that holds the pose back.
void drawBlocked() {
  const float em = ImGui::GetFontSize();
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  const ImVec2 c(std::min(high.x, ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x) - 0.5f * em,
                 0.5f * (low.y + high.y));
  ImGui::GetWindowDrawList()->AddTriangleFilled(
      ImVec2(c.x, c.y - 0.32f * em), ImVec2(c.x + 0.34f * em, c.y + 0.26f * em),
      ImVec2(c.x - 0.34f * em, c.y + 0.26f * em), ImGui::GetColorU32(colors::kAmber));
}

/// How the joint moves, as a small sign: a ring turns, a disc turns every way, a bar slides, a dot is fixed.
void drawSign(JointType type, bool locked) {
  const float em = ImGui::GetFontSize();
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const ImVec2 c(corner.x + 0.35f * em, corner.y + 0.52f * em);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 color = locked ? ImGui::GetColorU32(colors::kAmber)
                             : ImGui::GetColorU32(ImGuiCol_TextDisabled);
  const float r = 0.24f * em;
  switch (type) {
    case JointType::Fixed: list.AddCircleFilled(c, 0.4f * r, color); break;
    case JointType::Revolute: list.AddCircle(c, r, color, 16, std::max(1.0f, 0.1f * em)); break;
    case JointType::Prismatic:
      list.AddRectFilled(ImVec2(c.x - r, c.y - 0.4f * r), ImVec2(c.x + r, c.y + 0.4f * r), color);
      break;
    case JointType::Ball: list.AddCircleFilled(c, r, color, 16); break;
    case JointType::Free:
      list.AddQuad(ImVec2(c.x, c.y - 1.2f * r), ImVec2(c.x + 1.2f * r, c.y), ImVec2(c.x, c.y + 1.2f * r),
                   ImVec2(c.x - 1.2f * r, c.y), color, std::max(1.0f, 0.1f * em));
      break;
  }
  ImGui::Dummy(ImVec2(0.8f * em, em));
  ImGui::SameLine(0.0f, 0.2f * em);
}

void drawLink(const Session& session, const Row& row, UiState& ui, Requests& requests) {
  const Document& document = session.document();
  const Figure& figure = *document.figure;
  const Joint& joint = figure.joint(row.link);
  ImGui::PushID(row.link);
  const float indent = 0.8f * ImGui::GetFontSize() * static_cast<float>(row.depth) + 0.01f;
  ImGui::Indent(indent);
  const bool locked = document.joints[static_cast<std::size_t>(row.link)].locked;
  drawSign(joint.type, locked);
  const bool selected = document.selection.joint == row.link;
  const auto& blocked = session.highlight.limitedJoints;
  const bool isBlocked = std::find(blocked.begin(), blocked.end(), row.link) != blocked.end();
  if (isBlocked) ImGui::PushStyleColor(ImGuiCol_Text, colors::kAmber);
  if (ImGui::Selectable(figure.link(row.link).name.c_str(), selected || session.highlight.hoveredLink == row.link)) {
    requests.select = Selection{row.link, -1};
    ui.scrollTree = false;
  }
  if (isBlocked) {
    ImGui::PopStyleColor();
    drawBlocked();
  }
  if (ImGui::IsItemHovered()) {
    const std::string about = joint.name + ": " + std::string(jointTypeName(joint.type)) + (locked ? ", locked" : "") +
                              (isBlocked ? ", on a limit that holds the pose back" : "");
    tooltip(about.c_str());
  }
  ImGui::Unindent(indent);
  ImGui::PopID();
}

void drawGoalRows(const Session& session, Requests& requests) {
  const Document& document = session.document();
  for (const GoalItem& goal : document.goals) {
    ImGui::PushID(goal.id);
    if (!goal.enabled) ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
    const std::string name = goal.name.empty() ? "goal " + std::to_string(goal.id) : goal.name;
    const bool lit = document.selection.goal == goal.id || session.highlight.hoveredGoal == goal.id;
    if (ImGui::Selectable(name.c_str(), lit)) requests.select = Selection{-1, goal.id};
    if (!goal.enabled) ImGui::PopStyleColor();
    ImGui::PopID();
  }
  if (document.goals.empty()) disabledText("none planted");
}

}  // namespace

void drawFigureTree(const Session& session, UiState& ui, Requests& requests) {
  const Document& document = session.document();
  const std::string name = document.figure->name();
  ImGui::TextUnformatted(name.empty() ? "Figure" : name.c_str());
  ImGui::SameLine();
  disabledText("%d links", document.figure->linkCount());
  ImGui::SetNextItemWidth(-1.0f);
  inputText("##filter", "find a link", ui.treeFilter);

  const float goalRows = static_cast<float>(std::clamp<std::size_t>(document.goals.size(), 1, 8));
  const float goalHeight = (goalRows + 1.0f) * ImGui::GetTextLineHeightWithSpacing() + 1.2f * ImGui::GetFontSize();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ImGui::GetStyle().ItemSpacing.x, 0.2f * ImGui::GetFontSize()));
  if (ImGui::BeginChild("links", ImVec2(0.0f, -goalHeight))) {
    const std::vector<Row> rows = rowsOf(*document.figure, ui.treeFilter);
    if (ui.scrollTree) {
      const auto found = std::find_if(rows.begin(), rows.end(),
                                      [&](const Row& r) { return r.link == document.selection.joint; });
      const float line = ImGui::GetTextLineHeightWithSpacing();
      const float y = line * static_cast<float>(found - rows.begin());
      const bool visible = y >= ImGui::GetScrollY() && y + line <= ImGui::GetScrollY() + ImGui::GetWindowHeight();
      if (found != rows.end() && !visible) ImGui::SetScrollY(y - 0.4f * ImGui::GetWindowHeight());
      ui.scrollTree = false;
    }
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(rows.size()));
    while (clipper.Step())
      for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
        drawLink(session, rows[static_cast<std::size_t>(i)], ui, requests);
  }
  ImGui::EndChild();
  ImGui::Separator();
  disabledText("Goals");
  if (ImGui::BeginChild("goals")) drawGoalRows(session, requests);
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

}  // namespace limber::app
