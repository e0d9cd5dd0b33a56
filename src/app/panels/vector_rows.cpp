// SPDX-License-Identifier: MIT
#include "app/panels/vector_rows.h"

#include <imgui.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "app/panels/widgets.h"
#include "limber/kinematics/shortest_turn.h"

namespace limber::app {

namespace {

constexpr double kNoDirection = 1e-6;  // least length of a direction, and of its part across x

/// Three fields that share the rest of the row; when one has changed, returns true and sets `gesture`.
bool editThree(Eigen::Vector3d& value, const NumberStyle& style, UiState& ui, std::string& gesture) {
  const float gap = 0.25f * ImGui::GetFontSize(), whole = ImGui::CalcItemWidth();
  const char* axes[3] = {"##x", "##y", "##z"};
  bool changed = false;
  for (int axis = 0; axis < 3; ++axis) {
    if (axis > 0) ImGui::SameLine(0.0f, gap);
    ImGui::SetNextItemWidth((whole - 2.0f * gap) / 3.0f);
    ImGui::PushStyleColor(ImGuiCol_Text, colors::kAxes[axis]);
    if (editNumber(axes[axis], value[axis], style, ui)) {
      gesture = gestureOf(axes[axis]);
      changed = true;
    }
    ImGui::PopStyleColor();
  }
  return changed;
}

}  // namespace

void placeRow(const char* label, const char* about, const Eigen::Vector3d& value,
              const std::optional<Eigen::Vector3d>& byDefault, UiState& ui, const SetVector& set) {
  ImGui::PushID(label);
  const std::string tip = std::string(about) + ", " + unitName(ui.unit) + "; double-click types";
  rowLabel(label, tip.c_str(), kResetEms);
  const double scale = unitsPerMetre(ui.unit);
  const Eigen::Vector3d shown = scale * value;
  Eigen::Vector3d edited = shown;
  std::string gesture;
  if (editThree(edited, {.format = placeFormat(ui.unit), .speed = 0.005 * scale, .tooltip = tip.c_str()}, ui, gesture))
    set((edited.array() == shown.array()).select(value, edited / scale), gesture);  // unchanged numbers keep all digits
  if (resetButton("##reset", !byDefault || value.isApprox(*byDefault, 1e-9), "back to where it is now"))
    set(*byDefault, "");
  ImGui::PopID();
}

void factorsRow(const char* label, const char* about, const Eigen::Vector3d& value, UiState& ui, const SetVector& set) {
  ImGui::PushID(label);
  rowLabel(label, about, kResetEms);
  Eigen::Vector3d edited = value;
  std::string gesture;
  if (editThree(edited, {.format = "%.3f", .speed = 0.005, .tooltip = about}, ui, gesture)) set(edited, gesture);
  ImGui::PopID();
}

namespace {

/// The angles (x, y, z) of R = Ry Rx Rz; at the gimbal lock, where y and z coincide, z is 0.
Eigen::Vector3d anglesOf(const Eigen::Matrix3d& r) {
  const double x = std::asin(std::clamp(-r(1, 2), -1.0, 1.0)) + 0.0;  // no -0
  if (std::abs(r(1, 2)) > 1.0 - 1e-12) return {x, std::atan2(-r(2, 0), r(0, 0)), 0.0};
  return {x, std::atan2(r(0, 2), r(2, 2)), std::atan2(r(1, 0), r(1, 1))};
}

Eigen::Matrix3d turnedBy(const Eigen::Vector3d& angles) {
  return (Eigen::AngleAxisd(angles.y(), Eigen::Vector3d::UnitY()) *
          Eigen::AngleAxisd(angles.x(), Eigen::Vector3d::UnitX()) *
          Eigen::AngleAxisd(angles.z(), Eigen::Vector3d::UnitZ()))
      .toRotationMatrix();
}

}  // namespace

void anglesRow(const char* label, const char* about, const Eigen::Matrix3d& rotation, UiState& ui,
               const SetFrame& set) {
  ImGui::PushID(label);
  rowLabel(label, about, kResetEms);
  Eigen::Vector3d degrees = kDegrees * anglesOf(rotation);
  std::string gesture;
  if (editThree(degrees, {.format = "%.1f°", .speed = 0.5, .tooltip = about}, ui, gesture))
    set(turnedBy(degrees / kDegrees), gesture);
  if (resetButton("##reset", rotation.isIdentity(1e-12), "unturned")) set(Eigen::Matrix3d::Identity(), "");
  ImGui::PopID();
}

void directionRow(const char* label, const char* about, const Eigen::Matrix3d& frame, int axis,
                  const Eigen::Matrix3d& byDefault, UiState& ui, const SetFrame& set) {
  ImGui::PushID(label);
  rowLabel(label, about, kResetEms);
  Eigen::Vector3d edited = frame.col(axis);
  std::string gesture;
  if (editThree(edited, {.format = "%.3f", .speed = 0.005, .tooltip = about}, ui, gesture)) {
    if (const auto turned = frameWithAxis(frame, axis, edited)) set(*turned, gesture);
    else ui.message = {"not a direction: the old one stays", true, ui.now + 6.0};
  }
  const bool isDefault = frame.col(axis).isApprox(byDefault.col(axis), 1e-9);
  if (resetButton("##reset", isDefault, "back to how it is now"))
    if (const auto turned = frameWithAxis(frame, axis, byDefault.col(axis))) set(*turned, "");
  ImGui::PopID();
}

std::optional<Eigen::Matrix3d> frameWithAxis(const Eigen::Matrix3d& frame, int axis, const Eigen::Vector3d& direction) {
  const double length = direction.stableNorm();
  if (!(length > kNoDirection)) return std::nullopt;
  const Eigen::Vector3d along = direction / length;
  if (axis == 0) {
    const Eigen::Quaterniond turn = shortestTurn(frame.col(0), along);
    Eigen::Matrix3d turned = turn.toRotationMatrix() * frame;
    turned.col(0) = along;
    turned.col(1) = (turned.col(1) - along.dot(turned.col(1)) * along).normalized();
    turned.col(2) = turned.col(0).cross(turned.col(1));
    return turned;
  }
  const Eigen::Vector3d across = along - frame.col(0).dot(along) * frame.col(0);
  if (!(across.norm() > kNoDirection)) return std::nullopt;
  Eigen::Matrix3d turned = frame;
  turned.col(1) = across.normalized();
  turned.col(2) = turned.col(0).cross(turned.col(1));
  return turned;
}

}  // namespace limber::app
