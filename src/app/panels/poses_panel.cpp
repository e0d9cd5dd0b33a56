// SPDX-License-Identifier: MIT
// The pose library: pictures to click on, a slider that blends, and saving, renaming and deleting of the user's poses.
#include <imgui.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>

#include "app/features/timeline_actions.h"
#include "app/panels/dialog.h"
#include "app/panels/panels.h"
#include "app/panels/picture_grid.h"
#include "app/panels/widgets.h"

namespace limber::app {

namespace {

constexpr int kFewPoseRows = 2;  // shown until the user asks for all

void drawSavePose(const Session& session, PosesView& view, CommandQueue& queue) {
  const float em = ImGui::GetFontSize();
  ImGui::SetNextItemWidth(-6.2f * em);
  const bool entered = inputText("##name", "pose name", view.typedName, ImGuiInputTextFlags_EnterReturnsTrue);
  ImGui::SameLine();
  const bool hasName = view.typedName.find_first_not_of(" \t") != std::string::npos;
  const bool isTaken = hasName && std::ranges::any_of(session.services.poses.entries(), [&](const Poses::Entry& entry) {
                         return entry.isOwn && entry.file == ownPoseFile(*session.document().figure, view.typedName);
                       });
  ImGui::BeginDisabled(!hasName);
  const bool clicked = ImGui::Button(isTaken ? "Replace" : "Save pose", ImVec2(-1.0f, 0.0f));
  ImGui::EndDisabled();
  tooltip(isTaken ? "replaces your pose of this name by the current one"
                  : "saves the current pose under this name in your own folder, as a JSON file");
  if (!hasName || !(clicked || entered)) return;
  queue.add(Command::UseLibrary, PoseWish{.kind = PoseWish::Kind::Save, .name = view.typedName});
  view.typedName.clear();
}

void drawBlend(const Session& session, UiState& ui, CommandQueue& queue) {
  const int chosen = session.services.poses.chosen();
  rowLabel("Blend", "from the pose before to the chosen one; rotations take the shortest way");
  ImGui::BeginDisabled(chosen < 0);
  double percent = 100.0 * session.services.poses.amount(session.document());
  const std::string gesture = gestureOf("##blend");
  if (editNumber("##blend", percent, {.minimum = 0.0, .maximum = 100.0, .format = "%.0f %%"}, ui))
    queue.add(Command::UseLibrary,
              PoseWish{.kind = PoseWish::Kind::Blend, .amount = 0.01 * percent, .gesture = gesture});
  ImGui::EndDisabled();
  const bool hasJoint = session.document().selection.joint >= 0;
  ImGui::BeginDisabled(!hasJoint && !ui.poses.onlySelection);
  ImGui::Checkbox("Only the selection", &ui.poses.onlySelection);
  ImGui::EndDisabled();
  tooltip("applies a pose only to the selected parts and their descendants; without a selection, to the whole figure");
}

void wishApply(const Poses::Entry& entry, const std::string& gesture, CommandQueue& queue) {
  queue.add(Command::UseLibrary, PoseWish{.kind = PoseWish::Kind::Apply, .file = entry.file, .gesture = gesture});
}

/// A sign of danger in the middle of a cell.
void drawFault(const ImVec2& corner, float width) {
  const float em = ImGui::GetFontSize();
  const ImVec2 middle(corner.x + 0.5f * width, corner.y + 0.5f * width);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 amber = ImGui::GetColorU32(colors::kAmber);
  list.AddTriangle(ImVec2(middle.x, middle.y - 1.1f * em), ImVec2(middle.x - 1.1f * em, middle.y + 0.8f * em),
                   ImVec2(middle.x + 1.1f * em, middle.y + 0.8f * em), amber, 0.12f * em);
  list.AddText(ImVec2(middle.x - 0.5f * ImGui::CalcTextSize("!").x, middle.y - 0.45f * em), amber, "!");
}

std::string originOf(const Poses::Entry& entry) {
  if (entry.isOfSource) return "comes with the robot's file";
  return entry.isOwn ? entry.file.string() : "comes with Limber";
}

std::string tipOf(const Poses::Entry& entry) {
  if (!entry.fault.empty()) return entry.fault;
  std::string text = entry.pose.name;
  if (!entry.pose.figure.empty()) text += "\nmade for " + entry.pose.figure;
  if (entry.way == PoseFitter::Way::ByParts) text += "; fitted to this figure by the parts of its body";
  if (entry.way == PoseFitter::Way::HandByParts) text += "; applies to the selected hand, or to both";
  return text + "\n" + originOf(entry);
}

void drawEntryMenu(const Poses::Entry& entry, PosesView& view, CommandQueue& queue) {
  if (!ImGui::BeginPopupContextItem("##menu")) return;
  if (ImGui::MenuItem("Apply", nullptr, false, entry.fault.empty())) wishApply(entry, {}, queue);
  if (ImGui::MenuItem("Rename ...", nullptr, false, entry.isOwn && entry.fault.empty())) {
    view.renameWanted = true;
    view.renamed = entry.file.string();
    view.newName = entry.pose.name;
  }
  if (ImGui::MenuItem("Delete ...", nullptr, false, entry.isOwn)) {
    view.removeWanted = true;
    view.removed = entry.file.string();
  }
  if (!entry.isOwn) disabledText(originOf(entry).c_str());
  ImGui::EndPopup();
}

/// The entry that the arrow keys go to while the grid has the focus, or -1.
int steppedTo(int chosen, int columns, int count) {
  if (count == 0) return -1;
  int to = chosen;
  if (isKeyPressed(ImGuiKey_RightArrow)) ++to;
  if (isKeyPressed(ImGuiKey_LeftArrow)) --to;
  if (isKeyPressed(ImGuiKey_DownArrow)) to += columns;
  if (isKeyPressed(ImGuiKey_UpArrow)) to -= columns;
  return to == chosen ? -1 : std::clamp(to, 0, count - 1);
}

void drawCell(const Poses::Entry& entry, int i, bool isChosen, const PictureGrid& grid, PosesView& view,
              CommandQueue& queue) {
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  if (ImGui::InvisibleButton("##pose", ImVec2(grid.cell, grid.cell + grid.line))) wishApply(entry, {}, queue);
  if (ImGui::IsItemVisible()) {
    if (entry.picture == 0 && entry.fault.empty() && view.pictureWanted < 0) view.pictureWanted = i;
    drawPictureCell(entry.picture, corner, grid.cell, isChosen, ImGui::IsItemHovered());
    if (!entry.fault.empty()) drawFault(corner, grid.cell);
    drawPictureCaption(corner, grid.cell, 0, entry.pose.name, entry.fault.empty() ? colors::kText : colors::kAmber);
  }
  tooltip(tipOf(entry));
  drawEntryMenu(entry, view, queue);
}

/// A few rows of pictures, and all of them once the user has asked, or the chosen one is in none of the few.
void drawGrid(const Session& session, PosesView& view, CommandQueue& queue) {
  const auto& entries = session.services.poses.entries();
  const PictureGrid grid(ImGui::GetContentRegionAvail().x);
  const int all = static_cast<int>(entries.size()), few = kFewPoseRows * grid.columns;
  const int chosen = session.services.poses.chosen();
  if (view.scrollToChosen && chosen >= few) view.showsAll = true;
  const bool isLong = all > few;
  const int count = isLong && !view.showsAll ? few : all;
  int stepped = -1;
  view.pictureWanted = -1;
  // A window of its own, which never scrolls, has the focus after a click: then arrows step through the poses.
  if (ImGui::BeginChild("##grid", ImVec2(0.0f, grid.height(count)), false, ImGuiWindowFlags_NoScrollbar)) {
    view.hasArrowKeys = ImGui::IsWindowFocused() && !arrowsMeanTime(session);
    if (view.hasArrowKeys) stepped = steppedTo(chosen, grid.columns, all);
    const ImVec2 origin = ImGui::GetCursorPos();
    for (int i = 0; i < count; ++i) {
      ImGui::PushID(entries[i].file.string().c_str());
      ImGui::SetCursorPos(grid.at(origin, i));
      drawCell(entries[i], i, i == chosen, grid, view, queue);
      ImGui::PopID();
    }
  }
  ImGui::EndChild();
  if (chosen >= 0 && std::exchange(view.scrollToChosen, false)) {
    const float top =
        ImGui::GetCursorPosY() - grid.height(count) - ImGui::GetStyle().ItemSpacing.y + grid.at(ImVec2(), chosen).y;
    scrollIntoView(top, top + grid.cell + grid.line);
  }
  if (stepped >= 0) {
    wishApply(entries[stepped], "step through poses", queue);
    view.scrollToChosen = true;  // once it is applied
  }
  if (isLong && moreButton(static_cast<std::size_t>(all), view.showsAll)) view.showsAll = !view.showsAll;
}

}  // namespace

void drawPoses(const Session& session, UiState& ui, CommandQueue& queue) {
  ui.poses.isOpen = true;
  drawSavePose(session, ui.poses, queue);
  drawBlend(session, ui, queue);
  if (session.services.poses.entries().empty())
    wrappedNote(
        "There are no poses for this figure yet. Save the current one under a name: it is offered for every "
        "figure with the same joint names, and a pose of a body or a hand for every other body or hand.");
  else drawGrid(session, ui.poses, queue);
  if (button("Reload", "reads the folders of poses again"))
    queue.add(Command::UseLibrary, PoseWish{.kind = PoseWish::Kind::LookAgain});
  if (const int hidden = session.services.poses.hidden(); hidden > 0) {
    ImGui::SameLine();
    disabledText("%d for other figures", hidden);
    tooltip("poses that do not fit this figure");
  }
}

void drawPoseDialogs(const Session& session, UiState& ui, CommandQueue& queue) {
  PosesView& view = ui.poses;
  if (Dialog dialog("Rename the pose", view.renameWanted, ui); dialog) {
    ImGui::SetNextItemWidth(dialog.width(18.0f));
    inputText("##new name", "new name", view.newName);
    dialog.stop(true);
    if (dialog.answers({"Rename", "Cancel"}) == 0) {
      queue.add(Command::UseLibrary,
                PoseWish{.kind = PoseWish::Kind::Rename, .file = view.renamed, .name = view.newName});
      dialog.close();
    }
  }
  Dialog dialog("Delete the pose?", view.removeWanted, ui);
  if (!dialog) return;
  const auto& entries = session.services.poses.entries();
  const auto found = std::ranges::find(entries, std::filesystem::path(view.removed), &Poses::Entry::file);
  dialog.text("\"" + (found == entries.end() ? std::string() : found->pose.name) + "\" cannot be restored afterwards.");
  if (dialog.answers({"Delete", "Keep it"}) != 0) return;
  queue.add(Command::UseLibrary, PoseWish{.kind = PoseWish::Kind::Remove, .file = view.removed});
  dialog.close();
}

}  // namespace limber::app
