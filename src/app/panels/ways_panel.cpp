// SPDX-License-Identifier: MIT
// All ways of an arm: a picture for each, and for arms of seven joints a slider along their self-motion.
#include <imgui.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/panels.h"
#include "app/panels/picture_grid.h"
#include "app/panels/widgets.h"

namespace limber::app {

namespace {

using State = SelfMotionPath::State;

constexpr int kFewWayRows = 4;  // shown until the user asks for all

std::string numberText(const char* format, double number) {
  char text[48];
  std::snprintf(text, sizeof text, format, number);
  return text;
}

/// "left  up  plain"; the number of a way without such words.
std::string branchText(const ArmWay& way, int index) {
  std::string text;
  for (const std::string_view word : {way.shoulder, way.elbow, way.wrist})
    if (!word.empty()) text += (text.empty() ? "" : ", ") + std::string(word);
  if (!text.empty()) return text;
  return "way " + std::to_string(index + 1);
}

std::string wayTip(const FoundWays& found, int index, const Figure& figure, LengthUnit unit) {
  const ArmWay& way = found.all.ways[index];
  std::string text;
  if (!way.shoulder.empty()) text += "shoulder " + std::string(way.shoulder) + ", ";
  if (!way.elbow.empty()) text += "elbow " + std::string(way.elbow) + ", ";
  if (!way.wrist.empty()) text += "wrist " + std::string(way.wrist);
  if (!text.empty()) text += "\n";
  text += numberText("%.3g from the pose: norm of the joints' changes, radians and metres", way.distance);
  text += numberText("\nmanipulability %.3g, 0 at singular poses", way.manipulability);
  text += "\nleft of the goal: " + errorText(way.error, way.angle, unit);
  if (!found.touches[index].empty()) text += "\ncollides: " + found.touches[index];
  if (way.windings > 1) text += "\n" + std::to_string(way.windings) + " poses that differ by whole turns";
  for (const int joint : way.freeJoints) text += "\n" + figure.joint(joint).name + " is free: the pose is singular";
  return text + "\na click takes it";
}

void drawWayCell(const Session& session, int index, bool isPresent, const PictureGrid& grid, WaysView& view,
                 CommandQueue& queue) {
  const WayFinding& ways = session.services.ways;
  const FoundWays& found = *ways.found();
  const ArmWay& way = found.all.ways[index];
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  if (ImGui::InvisibleButton("##way", ImVec2(grid.cell, grid.cellHeight()))) queue.add(Command::TakeWay, index);
  const bool isHovered = ImGui::IsItemHovered();
  if (isHovered) view.hovered = index;
  if (ImGui::IsItemVisible()) {
    if (ways.picture(index) == 0 && view.pictureWanted < 0) view.pictureWanted = index;
    drawPictureCell(ways.picture(index), corner, grid.cell, isPresent, isHovered);
    const bool collides = !found.touches[index].empty();
    drawPictureCaption(corner, grid.cell, 0, branchText(way, index), colors::kText);
    drawPictureCaption(corner, grid.cell, 1, collides ? "collides" : numberText("%.2f away", way.distance),
                       collides ? colors::kUnmet : ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
  }
  tooltip(wayTip(found, index, *session.document().figure, session.settings.unit));
}

void drawWayGrid(const Session& session, WaysView& view, CommandQueue& queue) {
  const WayFinding& ways = session.services.ways;
  const PictureGrid grid(ImGui::GetContentRegionAvail().x, 2);
  const int all = static_cast<int>(ways.found()->all.ways.size()), few = kFewWayRows * grid.columns;
  const int count = view.showsAll ? all : std::min(all, few), present = ways.present(session.document());
  if (ImGui::BeginChild("##ways", ImVec2(0.0f, grid.height(count)), false, ImGuiWindowFlags_NoScrollbar)) {
    const ImVec2 origin = ImGui::GetCursorPos();
    for (int i = 0; i < count; ++i) {
      ImGui::PushID(i);
      ImGui::SetCursorPos(grid.at(origin, i));
      drawWayCell(session, i, i == present, grid, view, queue);
      ImGui::PopID();
    }
  }
  ImGui::EndChild();
  if (all > few && moreButton(static_cast<std::size_t>(all), view.showsAll)) view.showsAll = !view.showsAll;
}

ImVec4 colorOf(State state) {
  switch (state) {
    case State::Free: return colors::kMet;
    case State::Colliding: return colors::kUnmet;
    case State::OutsideLimits: return ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled);
  }
  return {};
}

/// Draws a strip with a colour for each state of the path; what limits cut is thinner.
void drawStrip(const SelfMotionPath& path, const ImVec2& corner, float width, float height) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  for (std::size_t i = 0; i + 1 < path.samples.size(); ++i) {
    const auto &from = path.samples[i], &to = path.samples[i + 1];
    const State state = std::max(from.state, to.state);
    const float inset = state == State::OutsideLimits ? 0.35f * height : 0.0f;
    list.AddRectFilled(ImVec2(corner.x + static_cast<float>(from.at) * width, corner.y + inset),
                       ImVec2(corner.x + static_cast<float>(to.at) * width, corner.y + height - inset),
                       ImGui::GetColorU32(colorOf(state)));
  }
}

/// A patch of the strip and its meaning.
void drawMeaning(State state, const char* what) {
  const float em = ImGui::GetFontSize();
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const float inset = state == State::OutsideLimits ? 0.45f * em : 0.3f * em;
  ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(corner.x, corner.y + inset),
                                            ImVec2(corner.x + 0.9f * em, corner.y + 1.1f * em - inset),
                                            ImGui::GetColorU32(colorOf(state)));
  ImGui::Dummy(ImVec2(0.9f * em, em));
  ImGui::SameLine(0.0f, 0.3f * em);
  disabledText("%s", what);
}

void drawMeanings(const SelfMotionPath& path) {
  bool isFirst = true;
  for (const auto& [state, what] : {std::pair{State::Free, "free"}, std::pair{State::Colliding, "collides"},
                                    std::pair{State::OutsideLimits, "outside limits"}}) {
    if (std::ranges::find(path.samples, state, &SelfMotionPath::Sample::state) == path.samples.end()) continue;
    if (!isFirst) ImGui::SameLine(0.0f, ImGui::GetFontSize());
    isFirst = false;
    drawMeaning(state, what);
  }
}

void drawPathChoice(const SelfMotionPaths& paths, int path, WaysView& view, UiState& ui) {
  if (paths.paths().size() < 2) return;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < paths.paths().size(); ++i)
    names.push_back("curve " + std::to_string(i + 1) + (paths.paths()[i].isClosed ? ", closed" : ""));
  rowLabel("Curve", "the arm cannot change from one curve to another while its end effector stays");
  if (const int chosen = choose("##curve", names, path, "none", ui); chosen >= 0) view.path = chosen;
}

void drawSelfMotion(const Session& session, UiState& ui, CommandQueue& queue) {
  const SelfMotionPaths& paths = *session.services.ways.found()->paths;
  const Pose& pose = session.document().pose;
  const bool isChosen = ui.ways.path >= 0 && ui.ways.path < std::ssize(paths.paths());
  const SelfMotionPaths::Place place = isChosen ? paths.nearestOn(ui.ways.path, pose) : paths.nearest(pose);
  const SelfMotionPath& path = paths.paths()[place.path];
  drawPathChoice(paths, place.path, ui.ways, ui);
  rowLabel("Self-motion", "moves the arm along the curve while its end effector stays");
  const float left = ImGui::GetCursorScreenPos().x, width = ImGui::CalcItemWidth();
  double percent = 100.0 * place.at;
  const std::string gesture = gestureOf("##at");
  if (editNumber("##at", percent,
                 {.minimum = 0.0,
                  .maximum = 100.0,
                  .format = "%.1f %%",
                  .tooltip = "position on the curve, in per cent of its length; the figure follows. What limits cut "
                             "off is left out"},
                 ui))
    queue.add(Command::SlideAlongWay, WayPosition{place.path, 0.01 * percent, gesture});
  const float em = ImGui::GetFontSize();
  drawStrip(path, ImVec2(left, ImGui::GetCursorScreenPos().y), width, 0.35f * em);
  ImGui::Dummy(ImVec2(0.0f, 0.35f * em));
  drawMeanings(path);
}

void drawWaySearch(const Session& session, CommandQueue& queue) {
  const WayFinding& ways = session.services.ways;
  if (!ways.isRunning()) {
    commandButton(Command::FindWays, session, queue, ways.found() ? "Find again" : "Find");
    if (!ways.found()) return;
    ImGui::SameLine();
    if (button("Forget", "removes the list")) queue.add(Command::ForgetWays);
    return;
  }
  const Job::Status status = ways.status();
  if (button("Cancel", "ends the search (Esc)")) queue.add(Command::CancelWays);
  ImGui::SameLine();
  ImGui::ProgressBar(static_cast<float>(status.part), ImVec2(-1.0f, 0.0f),
                     numberText("%.1f s", status.seconds).c_str());
  if (!status.what.empty()) wrappedNote(status.what);
}

std::string sentence(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text + ".";
}

void drawCompleteness(const AllWays& all) {
  std::string text = all.isComplete ? "These are all" : "Others may exist";
  if (!all.shape.empty()) text += " (" + std::string(all.shape) + ")";
  if (!all.reason.empty()) text += ": " + all.reason;
  text += ".";
  if (all.outsideLimits > 0) text += " " + std::to_string(all.outsideLimits) + " more are outside the limits.";
  wrappedNote(text);
}

}  // namespace

void drawWays(const Session& session, UiState& ui, CommandQueue& queue) {
  ui.ways.isShown = true;
  const WayFinding& ways = session.services.ways;
  drawWaySearch(session, queue);
  commandCheckbox(Command::ToggleNullSpace, session, queue);
  const FoundWays* found = ways.found();
  if (!found) {
    if (!ways.isRunning())
      wrappedNote(
          "Finds all poses in which an arm of up to seven joints reaches the selected goal: position and orientation, "
          "or "
          "position alone for up to three joints. The list goes when the figure changes.");
    return;
  }
  if (!ways.goalInWords().empty()) fittedNote("Of " + ways.goalInWords());
  if (!found->all.fault.empty()) {
    wrappedNote(sentence(found->all.fault));
    return wrappedNote(
        "To see ways, select a goal of position and orientation of an arm (Goals > Add goal ...), without pins; lock "
        "joints beyond seven.");
  }
  if (found->paths) drawSelfMotion(session, ui, queue);
  if (found->all.ways.empty()) wrappedNote("No way within the limits reaches the goal.");
  else drawWayGrid(session, ui.ways, queue);
  drawCompleteness(found->all);
}

}  // namespace limber::app
