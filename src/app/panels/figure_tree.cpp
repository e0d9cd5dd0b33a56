// SPDX-License-Identifier: MIT
// The left column: the tree of the figure's parts with their links, then the goals. A click selects, with Shift it adds
// to the selection. A selected row is filled and has a bar, the row under the cursor has a frame, and icons at the end
// of a row tell locked, pinned and at a limit.
#include <imgui.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "app/editing/selecting.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"

namespace limber::app {

namespace {

/// A part, or one link of a part that has several.
struct Row {
  int part = -1;
  int link = -1;  ///< -1 for the part as a whole
  int depth = 0;
};

bool holdsMore(const FigurePart& part) { return !part.children.empty() || part.links.size() > 1; }

/// The visible rows, in the order of the tree.
std::vector<Row> rowsOf(const NamedParts& parts, const std::set<std::string>& unfolded) {
  std::vector<Row> rows, open;
  for (int i = static_cast<int>(parts.parts.size()) - 1; i >= 0; --i)
    if (parts[i].parent < 0) open.push_back({i, -1, 0});
  while (!open.empty()) {
    const Row row = open.back();
    open.pop_back();
    rows.push_back(row);
    const FigurePart& part = parts[row.part];
    if (row.link >= 0 || !holdsMore(part) || !unfolded.contains(part.name)) continue;
    if (part.links.size() > 1)
      for (std::size_t i = part.links.size(); i-- > 0;) open.push_back({row.part, part.links[i], row.depth + 1});
    for (std::size_t i = part.children.size(); i-- > 0;) open.push_back({part.children[i], -1, row.depth + 1});
  }
  return rows;
}

/// The parts and links whose name contains the text, in one list.
std::vector<Row> rowsFound(const Figure& figure, const NamedParts& parts, const std::string& filter) {
  std::vector<Row> rows;
  for (int i = 0; i < static_cast<int>(parts.parts.size()); ++i) {
    if (containsIgnoringCase(parts[i].name, filter)) rows.push_back({i, -1, 0});
    for (const int link : parts[i].links)
      if (parts[i].links.size() > 1 && containsIgnoringCase(figure.link(link).name, filter))
        rows.push_back({i, link, 0});
  }
  return rows;
}

std::vector<int> linksOf(const NamedParts& parts, const Row& row) {
  return row.link >= 0 ? std::vector<int>{row.link} : parts.linksOf(row.part);
}

/// The row of the selection; unfolds its ancestors.
Row rowOfSelection(const NamedParts& parts, const Selection& selection, std::set<std::string>& unfolded) {
  const auto isAll = [&](int part) {
    return std::ranges::all_of(parts.linksOf(part), [&](int link) { return selection.hasLink(link); });
  };
  int part = parts.partOfLink[selection.joint];
  const bool isLink = !isAll(part);
  while (!isLink && parts[part].parent >= 0 && isAll(parts[part].parent)) part = parts[part].parent;
  if (isLink) unfolded.insert(parts[part].name);
  for (int above = parts[part].parent; above >= 0; above = parts[above].parent) unfolded.insert(parts[above].name);
  return {part, isLink ? selection.joint : -1, 0};
}

// ---- Signs ----------------------------------------------------------------------------------------------------------

/// The state of the links of a row.
struct RowState {
  bool isSelected = false, isPartlySelected = false, isHovered = false;
  bool isLocked = false, isPartlyLocked = false, isPinned = false, isBlocked = false;
};

RowState stateOf(const Session& session, const std::vector<int>& links, const UiState& ui) {
  const Document& document = session.document();
  const std::vector<int>& blocked = session.picture.highlight.limitedJoints;
  const std::vector<int>& hovered = session.picture.highlight.hoveredLinks;
  RowState state{.isSelected = true, .isLocked = true};
  bool moves = false, lacksHover = false;
  for (const int link : links) {
    const bool isSelected = document.selection.hasLink(link);
    state.isSelected = state.isSelected && isSelected;
    state.isPartlySelected = state.isPartlySelected || isSelected;
    lacksHover = lacksHover || !std::ranges::binary_search(hovered, link);
    state.isPinned = state.isPinned || findPin(document, link);
    state.isBlocked = state.isBlocked || std::ranges::find(blocked, link) != blocked.end();
    if (stepSize(document.figure->joint(link).type) == 0) continue;
    moves = true;
    const bool isLocked = document.joints[link].locked;
    state.isLocked = state.isLocked && isLocked;
    state.isPartlyLocked = state.isPartlyLocked || isLocked;
  }
  state.isLocked = state.isLocked && moves;
  state.isHovered = !lacksHover && ui.tree.hoveredRow.empty();
  return state;
}

using Sign = void (*)(ImDrawList& list, ImVec2 c, float em);

void drawTriangle(ImDrawList& list, ImVec2 c, float em) {
  list.AddTriangleFilled(ImVec2(c.x, c.y - 0.32f * em), ImVec2(c.x + 0.34f * em, c.y + 0.26f * em),
                         ImVec2(c.x - 0.34f * em, c.y + 0.26f * em), ImGui::GetColorU32(colors::kAmber));
}

void drawPadlock(ImDrawList& list, ImVec2 c, float em) {
  const ImU32 color = ImGui::GetColorU32(colors::kText);
  list.AddRectFilled(ImVec2(c.x - 0.27f * em, c.y - 0.02f * em), ImVec2(c.x + 0.27f * em, c.y + 0.36f * em), color,
                     0.06f * em);
  list.PathArcTo(ImVec2(c.x, c.y - 0.04f * em), 0.18f * em, 3.1416f, 6.2832f, 10);
  list.PathStroke(color, 0, std::max(1.0f, 0.1f * em));
}

/// A hollow padlock: only some joints of the row are locked.
void drawOpenPadlock(ImDrawList& list, ImVec2 c, float em) {
  const ImU32 color = ImGui::GetColorU32(ImGuiCol_TextDisabled);
  const float stroke = std::max(1.0f, 0.09f * em);
  list.AddRect(ImVec2(c.x - 0.27f * em, c.y - 0.02f * em), ImVec2(c.x + 0.27f * em, c.y + 0.36f * em), color,
               0.06f * em, 0, stroke);
  list.PathArcTo(ImVec2(c.x, c.y - 0.04f * em), 0.18f * em, 3.1416f, 6.2832f, 10);
  list.PathStroke(color, 0, stroke);
}

/// A pin with a round head.
void drawPinSign(ImDrawList& list, ImVec2 c, float em) {
  const ImU32 color = ImGui::GetColorU32(colors::kMet);
  list.AddCircleFilled(ImVec2(c.x, c.y - 0.14f * em), 0.2f * em, color, 14);
  list.AddLine(ImVec2(c.x, c.y), ImVec2(c.x, c.y + 0.38f * em), color, std::max(1.0f, 0.1f * em));
}

/// An icon for the joint type: ring for revolute, disc for ball, bar for prismatic, dot for fixed, diamond for free.
void drawJointSign(JointType type, ImDrawList& list, ImVec2 c, float em) {
  const ImU32 color = ImGui::GetColorU32(ImGuiCol_TextDisabled);
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
}

// ---- Rows -----------------------------------------------------------------------------------------------------------

/// Draws the background of a row: filled with a bar when selected, framed under the cursor.
void drawRowBack(const ImVec2& low, const ImVec2& high, const RowState& state) {
  const float em = ImGui::GetFontSize();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (state.isSelected) list.AddRectFilled(low, high, ImGui::GetColorU32(presentTheme.selected), 0.15f * em);
  if (state.isPartlySelected)
    list.AddRectFilled(low, ImVec2(low.x + 0.2f * em, high.y), ImGui::GetColorU32(colors::kAccent), 0.1f * em);
  if (state.isHovered)
    list.AddRect(low, high, ImGui::GetColorU32(withOpacity(colors::kText, 0.75f)), 0.15f * em, 0,
                 std::max(1.0f, 0.07f * em));
}

/// Draws the text, cut to the width; true when it was cut.
bool drawCut(const ImVec2& at, float width, const std::string& text, ImU32 color) {
  const std::string shown = cutText(text, width, "…");
  ImGui::GetWindowDrawList()->AddText(at, color, shown.c_str());
  return shown != text;
}

/// Draws the icons of a row from the right; returns the left end of them.
float drawSigns(const RowState& state, float right, float middle) {
  const float em = ImGui::GetFontSize();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto add = [&](Sign sign) {
    sign(list, ImVec2(right - 0.5f * em, middle), em);
    right -= em;
  };
  if (state.isBlocked) add(drawTriangle);
  if (state.isPinned) add(drawPinSign);
  if (state.isLocked) add(drawPadlock);
  else if (state.isPartlyLocked) add(drawOpenPadlock);
  return right;
}

std::string aboutRow(const Document& document, const NamedParts& parts, const Row& row, const RowState& state) {
  const FigurePart& part = parts[row.part];
  const int link = row.link >= 0 ? row.link : part.links.size() == 1 ? part.mainLink : -1;
  std::string about = part.name;
  if (link >= 0) {
    const Joint& joint = document.figure->joint(link);
    about = document.figure->link(link).name + ", joint " + joint.name + ": " + std::string(jointTypeName(joint.type));
  } else {
    about += ": " + std::to_string(parts.linksOf(row.part).size()) + " links";
  }
  if (state.isLocked) about += "\nlocked";
  else if (state.isPartlyLocked) about += "\npartly locked";
  if (state.isPinned) about += "\npinned";
  if (state.isBlocked) about += "\nat a limit that holds the pose back";
  return about;
}

/// Draws the arrow that folds a part, or leaves its room empty.
void drawArrow(const FigurePart& part, bool hasArrow, UiState& ui) {
  const float em = ImGui::GetFontSize();
  if (!hasArrow) {
    ImGui::Dummy(ImVec2(em, em));
    return;
  }
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const bool isOpen = ui.tree.unfolded.contains(part.name);
  if (ImGui::InvisibleButton("##fold", ImVec2(em, ImGui::GetTextLineHeight()))) {
    if (isOpen) ui.tree.unfolded.erase(part.name);
    else ui.tree.unfolded.insert(part.name);
  }
  const ImVec2 c(corner.x + 0.5f * em, corner.y + 0.52f * em);
  const float r = 0.26f * em;
  const ImU32 color = ImGui::GetColorU32(ImGui::IsItemHovered() ? ImGuiCol_Text : ImGuiCol_TextDisabled);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (isOpen)
    list.AddTriangleFilled(ImVec2(c.x - r, c.y - 0.7f * r), ImVec2(c.x + r, c.y - 0.7f * r), ImVec2(c.x, c.y + r),
                           color);
  else
    list.AddTriangleFilled(ImVec2(c.x - 0.7f * r, c.y - r), ImVec2(c.x + r, c.y), ImVec2(c.x - 0.7f * r, c.y + r),
                           color);
}

void drawPart(const Session& session, const Row& row, UiState& ui, CommandQueue& queue) {
  const Document& document = session.document();
  const NamedParts& parts = partsOf(session.document());
  const FigurePart& part = parts[row.part];
  const std::vector<int> links = linksOf(parts, row);
  const float em = ImGui::GetFontSize(), height = ImGui::GetTextLineHeight();
  ImGui::PushID(row.link >= 0 ? -1 - row.link : row.part);
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const ImVec2 high(low.x + ImGui::GetContentRegionAvail().x, low.y + height);
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + 0.2f * em + 0.8f * em * static_cast<float>(std::min(row.depth, 8)));
  drawArrow(part, row.link < 0 && holdsMore(part) && ui.tree.filter.empty(), ui);
  ImGui::SameLine(0.0f, 0.1f * em);
  ImVec2 at = ImGui::GetCursorScreenPos();
  const bool isClicked = ImGui::InvisibleButton("##row", ImVec2(std::max(high.x - at.x, em), height));
  RowState state = stateOf(session, links, ui);
  if (ImGui::IsItemHovered()) {
    state.isHovered = true;
    ui.tree.hoveredRow = links;
    if (ImGui::IsMouseDoubleClicked(0) && row.link < 0 && holdsMore(part)) ui.tree.unfolded.insert(part.name);
  }
  drawRowBack(low, high, state);
  if (row.link >= 0) {
    drawJointSign(document.figure->joint(row.link).type, *ImGui::GetWindowDrawList(),
                  ImVec2(at.x + 0.35f * em, at.y + 0.52f * em), em);
    at.x += em;
  }
  const float right = drawSigns(state, high.x, low.y + 0.5f * height);
  const std::string& name = row.link >= 0 ? document.figure->link(row.link).name : part.name;
  const ImU32 color = ImGui::GetColorU32(row.link >= 0 ? ImGuiCol_TextDisabled : ImGuiCol_Text);
  const bool isCut = drawCut(at, right - at.x, name, color);
  tooltip((isCut ? name + "\n" : std::string()) + aboutRow(document, parts, row, state));
  if (isClicked) {
    const int main = row.link >= 0 ? row.link : parts.mainLinkOf(row.part);
    const bool adds = ImGui::GetIO().KeyShift || ImGui::GetIO().KeyCtrl;
    queue.add(Command::Select, adds ? toggledSelection(document.selection, links, main) : selectionOf(links, main));
    ui.tree.scrolls = false;
  }
  ImGui::PopID();
}

void drawGoalRows(const Session& session, CommandQueue& queue) {
  const Document& document = session.document();
  const float em = ImGui::GetFontSize(), height = ImGui::GetTextLineHeight();
  for (const GoalItem& goal : document.goals) {
    ImGui::PushID(goal.id);
    const std::string name = goal.name.empty() ? "goal " + std::to_string(goal.id) : goal.name;
    const ImVec2 low = ImGui::GetCursorScreenPos();
    const ImVec2 high(low.x + ImGui::GetContentRegionAvail().x, low.y + height);
    if (ImGui::InvisibleButton("##goal", ImVec2(std::max(high.x - low.x, em), height)))
      queue.add(Command::Select, Selection{-1, goal.id});
    RowState state;
    state.isSelected = state.isPartlySelected = document.selection.goal == goal.id;
    state.isHovered = ImGui::IsItemHovered() || session.picture.highlight.hoveredGoal == goal.id;
    drawRowBack(low, high, state);
    if (drawCut(ImVec2(low.x + 0.4f * em, low.y), high.x - low.x - 0.5f * em, name,
                ImGui::GetColorU32(goal.enabled ? ImGuiCol_Text : ImGuiCol_TextDisabled)))
      tooltip(name);
    ImGui::PopID();
  }
  if (document.goals.empty()) disabledText("none");
}

/// Scrolls to the row of the selection.
void scrollToSelection(const std::vector<Row>& rows, const Row& wanted) {
  const auto found =
      std::ranges::find_if(rows, [&](const Row& row) { return row.part == wanted.part && row.link == wanted.link; });
  if (found == rows.end()) return;
  const float line = ImGui::GetTextLineHeightWithSpacing();
  const float y = line * static_cast<float>(found - rows.begin());
  const bool isVisible = y >= ImGui::GetScrollY() && y + line <= ImGui::GetScrollY() + ImGui::GetWindowHeight();
  if (!isVisible) ImGui::SetScrollY(y - 0.4f * ImGui::GetWindowHeight());
}

void drawParts(const Session& session, UiState& ui, CommandQueue& queue) {
  const NamedParts& parts = partsOf(session.document());
  const Selection& selection = session.document().selection;
  const bool isAsked = std::exchange(ui.tree.scrolls, false) && selection.joint >= 0;
  const Row wanted = isAsked ? rowOfSelection(parts, selection, ui.tree.unfolded) : Row{};
  const std::vector<Row> rows = ui.tree.filter.empty() ? rowsOf(parts, ui.tree.unfolded)
                                                       : rowsFound(*session.document().figure, parts, ui.tree.filter);
  if (isAsked) scrollToSelection(rows, wanted);
  rowsInSight(rows.size(), ImGui::GetTextLineHeightWithSpacing(),
              [&](std::size_t i) { drawPart(session, rows[i], ui, queue); });
}

}  // namespace

void drawFigureTree(const Session& session, UiState& ui, CommandQueue& queue) {
  const Document& document = session.document();
  const std::string name = document.figure->name();
  ImGui::TextUnformatted(name.empty() ? "Figure" : name.c_str());
  ImGui::SameLine();
  disabledText("%d links", document.figure->linkCount());
  ImGui::SetNextItemWidth(-1.0f);
  inputText("##filter", "find a part or link", ui.tree.filter);

  const float goalRows = static_cast<float>(std::clamp<std::size_t>(document.goals.size(), 1, 8));
  const float goalHeight = (goalRows + 1.0f) * ImGui::GetTextLineHeightWithSpacing() + 1.2f * ImGui::GetFontSize();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ImGui::GetStyle().ItemSpacing.x, 0.2f * ImGui::GetFontSize()));
  if (ImGui::BeginChild("parts", ImVec2(0.0f, -goalHeight))) drawParts(session, ui, queue);
  ImGui::EndChild();
  ImGui::Separator();
  disabledText("Goals");
  if (ImGui::BeginChild("goals")) drawGoalRows(session, queue);
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

}  // namespace limber::app
