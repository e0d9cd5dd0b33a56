// SPDX-License-Identifier: MIT
#include "app/panels/goal_details.h"

#include <imgui.h>

#include <algorithm>
#include <string>

#include "app/drag/goal_handles.h"
#include "app/panels/vector_rows.h"
#include "app/panels/widgets.h"
#include "limber/scene/path_curve.h"

namespace limber::app {

namespace {

constexpr std::size_t kMostPointRows = 200;
constexpr std::size_t kFoldedFrom = 9;  // points; so many fill the panel

/// Requests an edit of the goal's path; the target and then the figure follow.
template <typename Edit>
void editPath(CommandQueue& queue, const char* label, const std::string& gesture, int goal, Edit change) {
  queue.edit(label, gesture, AfterEdit::Solve, [goal, change](Document& d) {
    change(d);
    followPath(d, goal);
  });
}

/// Requests an edit of a field of the goal's path.
template <typename Set>
void setOfPath(CommandQueue& queue, const char* label, const std::string& gesture, int goal, Set set) {
  editPath(queue, label, gesture, goal, [goal, set](Document& d) {
    if (TargetPath* path = findPath(changeTimeline(d), goal)) set(*path);
  });
}

void curveRow(const TargetPath& path, CommandQueue& queue) {
  const int goal = path.goal;
  const char* curves[] = {"through its points", "with handles"};
  int curve = static_cast<int>(path.curve);
  rowLabel("Curve", "centripetal Catmull-Rom through every point, or Bezier with two handles between points");
  if (ImGui::Combo("##curve", &curve, curves, 2))
    editPath(queue, "curve of a path", "", goal,
             [goal, curve](Document& d) { setPathCurve(d, goal, static_cast<TargetPath::Curve>(curve)); });
  bool isClosed = path.isClosed;
  rowLabel("Closed", "from the last point back to the first");
  if (ImGui::Checkbox("##closed", &isClosed))
    editPath(queue, "close a path", "", goal, [goal, isClosed](Document& d) { setPathClosed(d, goal, isClosed); });
}

void timeRows(const TargetPath& path, double length, UiState& ui, CommandQueue& queue) {
  const int goal = path.goal;
  const NumberStyle style{.minimum = 0.0,
                          .maximum = length,
                          .format = "%.2f s",
                          .tooltip = "seconds; the target moves at constant speed between begin and end"};
  numberRow("Begin", path.begin, 0.0, style, ui, [&](double value, const std::string& gesture) {
    setOfPath(queue, "begin of a path", gesture, goal, [value](TargetPath& p) {
      p.begin = value;
      p.end = std::max(p.end, value);
    });
  });
  numberRow("End", path.end, length, style, ui, [&](double value, const std::string& gesture) {
    setOfPath(queue, "end of a path", gesture, goal, [value](TargetPath& p) {
      p.end = value;
      p.begin = std::min(p.begin, value);
    });
  });
}

void pointRows(const TargetPath& path, UiState& ui, CommandQueue& queue) {
  const int goal = path.goal;
  const std::size_t count = path.points.size();
  const std::string title = std::to_string(count) + (count == 1 ? " point" : " points") + "###points";
  const ImGuiTreeNodeFlags open = count < kFoldedFrom ? ImGuiTreeNodeFlags_DefaultOpen : 0;
  if (ImGui::TreeNodeEx(title.c_str(),
                        open | ImGuiTreeNodeFlags_SpanAvailWidth | ImGuiTreeNodeFlags_NoTreePushOnOpen)) {
    for (std::size_t i = 0; i < std::min(count, kMostPointRows); ++i) {
      const int point = static_cast<int>(i);
      ImGui::PushID(point);
      const std::string label = (path.isHandle(point) ? "  handle " : "point ") + std::to_string(point + 1);
      worldPlaceRow(label.c_str(), "in the world", path.points[i], std::nullopt, ui,
                    [&](const Eigen::Vector3d& place, const std::string& gesture) {
                      editPath(queue, "point of a path", gesture, goal,
                               [goal, point, place](Document& d) { movePathPoint(d, goal, point, place); });
                    });
      ImGui::PopID();
    }
    if (count > kMostPointRows) disabledText("and %zu more", count - kMostPointRows);
  }
}

}  // namespace

void drawPathRows(const Session& session, const GoalItem& goal, UiState& ui, CommandQueue& queue) {
  if (!hasMovableTarget(goal)) return;
  const Document& document = session.document();
  const TargetPath* path = document.timeline ? findPath(*document.timeline, goal.id) : nullptr;
  const int id = goal.id;
  if (!path) {
    if (button("Follow a path",
               "moves the target along a curve while the timeline plays; drag the points of the curve in the "
               "picture")) {
      queue.edit("follow a path", "", AfterEdit::Nothing, [id](Document& d) { addPath(d, id); });
      queue.add(Command::ShowTimeline);
    }
    return;
  }
  ImGui::PushID("path");
  bool isOn = path->enabled;
  if (ImGui::Checkbox("Follows its path", &isOn))
    setOfPath(queue, "follow the path", "", id, [isOn](TargetPath& p) { p.enabled = isOn; });
  tooltip("when off, the target stays or follows its keys");
  curveRow(*path, queue);
  timeRows(*path, document.timeline->length, ui, queue);
  pointRows(*path, ui, queue);
  if (button("Add a point", "adds a point in the middle of the last segment; Ctrl + click on the curve adds one there"))
    editPath(queue, "add a point to the path", "", id, [id](Document& d) {
      const TargetPath* now = d.timeline ? findPath(*d.timeline, id) : nullptr;
      if (now) insertPathPoint(d, id, PathCurve(*now).pieceCount() - 0.5);
    });
  ImGui::SameLine();
  if (ImGui::Button("Remove the path"))
    queue.edit("remove the path", "", AfterEdit::Nothing, [id](Document& d) { removePath(d, id); });
  if (const std::string remark = remarkOn(*path); !remark.empty()) wrappedNote("The path " + remark + ".");
  ImGui::PopID();
}

}  // namespace limber::app
