// SPDX-License-Identifier: MIT
// Markers at the edge of the picture for targets outside of it.
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "app/drag/goal_handles.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "limber/problem/goal_error.h"
#include "limber/problem/goal_types.h"
#include "render/strokes.h"

namespace limber::app {

namespace {

constexpr float kMarkerEms = 0.55f;      // half its length
constexpr double kMarkerInsetEms = 1.1;  // from the edge to its middle

/// The direction from the middle of the picture to a point, in pixels to the right and down; long enough to leave the
/// picture for points behind the eye.
Eigen::Vector2d directionTo(const render::View& view, const Eigen::Vector3d& point) {
  const Eigen::Vector2d middle(0.5 * view.width, 0.5 * view.height);
  if (const auto pixel = render::projectToPixel(view, point)) return *pixel - middle;
  const auto [right, up] = render::screenAxes(&view);
  const Eigen::Vector3d away = point - view.eye;
  const Eigen::Vector2d across(away.dot(right), -away.dot(up));
  const double length = std::max(across.norm(), 1e-12);
  return (view.width + view.height) / length * across;
}

/// Where a ray from the middle of the picture leaves it, `inset` pixels from the edge; empty for a point inside.
std::optional<Eigen::Vector2d> edgePoint(const render::View& view, const Eigen::Vector2d& direction, double inset) {
  const Eigen::Vector2d half(0.5 * view.width, 0.5 * view.height);
  if ((direction.cwiseAbs().array() <= half.array()).all()) return std::nullopt;
  const Eigen::Vector2d room = (half.array() - inset).max(1.0);
  const double scale = (room.array() / direction.cwiseAbs().array().max(1e-9)).minCoeff();
  return half + scale * direction;
}

/// Draws the arrow of a goal; a click selects the goal and frames its target.
void drawMarker(const GoalItem& goal, bool isMet, const ImVec2& at, const Eigen::Vector2d& direction,
                CommandQueue& queue) {
  const float em = ImGui::GetFontSize(), half = kMarkerEms * em;
  const std::string id = "##marker" + std::to_string(goal.id);
  ImGui::SetNextWindowPos(ImVec2(at.x - 1.4f * half, at.y - 1.4f * half));
  ImGui::SetNextWindowSize(ImVec2(2.8f * half, 2.8f * half));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0.0f, 0.0f));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1.0f, 1.0f));
  const bool isOpen =
      ImGui::Begin(id.c_str(), nullptr,
                   ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoMove |
                       ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav);
  ImGui::PopStyleVar(2);
  if (isOpen) {
    if (ImGui::InvisibleButton("##arrow", ImVec2(2.8f * half, 2.8f * half))) {
      queue.add(Command::Select, Selection{-1, goal.id});
      queue.add(Command::FrameSelection);
    }
    const Eigen::Vector2f along = direction.normalized().cast<float>(), across(-along.y(), along.x());
    const auto corner = [&](float a, float b) {
      return ImVec2(at.x + half * (a * along.x() + b * across.x()), at.y + half * (a * along.y() + b * across.y()));
    };
    const ImU32 color = ImGui::GetColorU32(isMet ? colors::kMet : colors::kUnmet);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddTriangleFilled(corner(1.2f, 0.0f), corner(-0.7f, 0.9f), corner(-0.7f, -0.9f), color);
    if (ImGui::IsItemHovered())
      list.AddTriangle(corner(1.2f, 0.0f), corner(-0.7f, 0.9f), corner(-0.7f, -0.9f), ImGui::GetColorU32(ImGuiCol_Text),
                       0.1f * em);
    tooltip("target of " + titleOf(goal) + ", outside of the picture: a click shows it");
  }
  ImGui::End();
}

}  // namespace

void drawTargetMarkers(const Session& session, const Rectangle& picture, CommandQueue& queue) {
  const Document& document = session.document();
  if (document.mode != Mode::Inverse || session.picture.area.width < 1.0) return;
  const render::View view = session.picture.view();
  const double perPixel = picture.width / session.picture.area.width;
  const double inset = kMarkerInsetEms * ImGui::GetFontSize() / perPixel;
  for (const GoalItem& goal : document.goals) {
    if (!goal.enabled || !hasMovableTarget(goal) || pictureOf(document, goal)) continue;
    const Eigen::Vector2d direction = directionTo(view, goal.target);
    const auto edge = edgePoint(view, direction, inset);
    if (!edge) continue;
    const bool isMet = limber::isMet(document, goalErrorOf(document, session.picture.kinematics, goal));
    drawMarker(goal, isMet,
               ImVec2(static_cast<float>(picture.x + perPixel * edge->x()),
                      static_cast<float>(picture.y + perPixel * edge->y())),
               direction, queue);
  }
}

}  // namespace limber::app
