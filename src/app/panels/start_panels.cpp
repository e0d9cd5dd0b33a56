// SPDX-License-Identifier: MIT
// The panels of the tab Start: a short tour, and the examples as pictures.
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <string_view>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "limber/io/base/resources.h"

namespace limber::app {

namespace {

constexpr float kExampleEms = 8.2f;   // least width of a picture
constexpr double kTurnOfView = 0.15;  // radians by which a view has been turned

/// The scenes of resources/scenes by group; others are in the last group.
struct ExampleGroup {
  const char* title;
  std::array<std::string_view, 8> scenes;
};
constexpr ExampleGroup kGroups[] = {
    {"Whole bodies",
     {"reach_from_the_waist", "reach_from_the_shoulder", "reach_with_a_rigid_torso", "reach_under_a_table",
      "step_over_a_box", "balance_over_the_feet", "carry_a_cup", "body_from_its_ends"}},
    {"Hands and things",
     {"bar_in_both_hands", "pull_a_rope", "hand_from_its_fingertips", "tube_vertebrae_grouped",
      "tube_vertebrae_independent"}},
    {"Animals", {"pupper_closes_the_door", "pupper_closes_the_door_along_a_path", "pupper_point_on_the_shin"}},
    {"Chains", {"six_links_two_goals", "chain_with_cones", "nearest_of_three_walls"}},
    {"From pictures", {"run_after_a_picture", "run_from_marks"}},
    {"More", {}},
};

/// Index of the group of a scene.
std::size_t groupOf(const std::string& scene) {
  std::size_t group = 0;
  while (group + 1 < std::size(kGroups) &&
         std::ranges::find(kGroups[group].scenes, scene) == kGroups[group].scenes.end())
    ++group;
  return group;
}

/// "tube_grouped.limber" gives "Tube grouped".
std::string exampleTitle(const std::filesystem::path& scene) {
  std::string title = scene.stem().string();
  std::ranges::replace(title, '_', ' ');
  if (!title.empty()) title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
  return title;
}

void listExamples(ExamplesView& view) {
  view.isListed = true;
  for (const std::filesystem::path& scene : io::listResources("scenes", ".limber"))
    view.entries.push_back({scene, exampleTitle(scene), groupOf(scene.stem().string())});
}

/// A picture with its title below; true when clicked.
bool drawExample(const ExampleEntry& entry, float width, const ImVec2& corner) {
  const float line = ImGui::GetTextLineHeightWithSpacing(), round = 0.25f * ImGui::GetFontSize();
  const float height = 0.75f * width;
  const bool isClicked = ImGui::InvisibleButton("##example", ImVec2(width, height + line));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 end(corner.x + width, corner.y + height);
  list.AddRectFilled(corner, end, ImGui::GetColorU32(ImGuiCol_FrameBg), round);
  if (entry.picture != 0)
    list.AddImageRounded((ImTextureID)(std::intptr_t)entry.picture, corner, end, ImVec2(0, 0), ImVec2(1, 1),
                         IM_COL32_WHITE, round);
  if (ImGui::IsItemHovered()) list.AddRect(corner, end, ImGui::GetColorU32(ImGuiCol_Text), round, 0, 1.5f);
  const std::string title = cutText(entry.title, width, "...");
  list.AddText(ImVec2(corner.x, corner.y + height), ImGui::GetColorU32(ImGuiCol_Text), title.c_str());
  tooltip(entry.title + ": opens it as a new document; Ctrl+Z goes back");
  return isClicked;
}

void drawExampleGroup(std::size_t group, ExamplesView& view, CommandQueue& queue) {
  const float em = ImGui::GetFontSize(), gap = 0.5f * em, room = ImGui::GetContentRegionAvail().x;
  const int columns = std::max(1, static_cast<int>((room + gap) / (kExampleEms * em + gap)));
  const float width = std::floor((room - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns));
  int shown = 0;
  for (std::size_t i = 0; i < view.entries.size(); ++i) {
    const ExampleEntry& entry = view.entries[i];
    if (entry.group != group) continue;
    if (shown == 0) disabledText("%s", kGroups[group].title);
    if (shown++ % columns > 0) ImGui::SameLine(0.0f, gap);
    ImGui::PushID(static_cast<int>(i));
    if (drawExample(entry, width, ImGui::GetCursorScreenPos())) queue.add(Command::OpenExample, entry.scene);
    ImGui::PopID();
  }
}

/// A task of the tour. isDone compares the session with its state when the task began.
struct Task {
  const char* title;
  const char* how;
  bool (*isDone)(const Session& session, const TourView& begun);
};
constexpr Task kTasks[] = {
    {"Drag a hand", "Press on a hand of the figure, and drag: the body follows within the limits of its joints.",
     [](const Session& session, const TourView& begun) {
       const History& history = session.editor.history();
       return history.presentStep() > begun.step && history.undoLabel().starts_with("drag");
     }},
    {"Look around", "Drag over the empty background to turn the view; the wheel zooms, Home goes back.",
     [](const Session& session, const TourView& begun) {
       const Camera& camera = session.picture.camera;
       return std::abs(std::remainder(camera.yaw - begun.yaw, 2.0 * std::numbers::pi)) > kTurnOfView ||
              std::abs(camera.pitch - begun.pitch) > kTurnOfView;
     }},
    {"Pin a foot", "Click a foot, and press P: it stays where it is, whatever else you drag.",
     [](const Session& session, const TourView& begun) { return session.document().pins.size() > begun.pins; }},
    {"Undo", "Press Ctrl+Z: one step for each drag or edit.",
     [](const Session& session, const TourView& begun) { return session.editor.history().presentStep() < begun.step; }},
};
constexpr int kTaskCount = static_cast<int>(std::size(kTasks));

/// Notes the state in which a task begins.
void beginTask(const Session& session, int task, TourView& view) {
  view = {.task = task,
          .step = session.editor.history().presentStep(),
          .pins = session.document().pins.size(),
          .yaw = session.picture.camera.yaw,
          .pitch = session.picture.camera.pitch};
}

void drawTask(int index, int present) {
  const Task& task = kTasks[index];
  statusDot(index < present);
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  if (index != present) return disabledText("%s", task.title);
  ImGui::TextColored(colors::kAccent, "%d. %s", index + 1, task.title);
  wrappedText(task.how);
}

}  // namespace

void drawTour(const Session& session, UiState& ui, Settings& settings) {
  const bool isOver = settings.tourTask >= kTaskCount;
  if (!isOver && ui.tour.task != settings.tourTask) beginTask(session, settings.tourTask, ui.tour);
  if (!isOver && !session.pointer.isDragging() && kTasks[settings.tourTask].isDone(session, ui.tour)) {
    ++settings.tourTask;
    beginTask(session, settings.tourTask, ui.tour);
  }
  for (int i = 0; i < kTaskCount; ++i) drawTask(i, settings.tourTask);
  if (isOver) {
    wrappedNote("That is all you need to begin. Help > Guide has more.");
    if (button("Start again", "repeats the four tasks")) settings.tourTask = 0;
    return;
  }
  if (button("Skip", "goes to the next task")) ++settings.tourTask;
  ImGui::SameLine();
  if (button("End the tour", "folds this panel; Help > Tour resumes it here"))
    rememberPanel(settings, entryOf(Panel::Tour).title, false);
}

void drawExamples(UiState& ui, CommandQueue& queue) {
  ExamplesView& view = ui.examples;
  if (!view.isListed) listExamples(view);
  view.isOpen = true;
  for (std::size_t group = 0; group < std::size(kGroups); ++group) drawExampleGroup(group, view, queue);
  if (view.entries.empty()) disabledText("resources/scenes is not installed");
}

}  // namespace limber::app
