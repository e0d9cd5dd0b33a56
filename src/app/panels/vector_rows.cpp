// SPDX-License-Identifier: MIT
#include "app/panels/vector_rows.h"

#include <imgui.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "app/panels/widgets.h"
#include "limber/kinematics/shortest_turn.h"

namespace limber::app {

namespace {

constexpr double kNoDirection = 1e-6;  // least length of a direction, and of its part across x

/// Fields that share the rest of the row, one for each name; when one has changed, returns true and sets `gesture`.
bool editSeveral(std::span<double> values, std::span<const ImVec4> inks, const NumberStyle& style, UiState& ui,
                 std::string& gesture) {
  const float gap = 0.25f * ImGui::GetFontSize(), whole = ImGui::CalcItemWidth();
  const auto count = static_cast<float>(values.size());
  constexpr const char* kIds[] = {"##x", "##y", "##z", "##w"};
  bool changed = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) ImGui::SameLine(0.0f, gap);
    ImGui::SetNextItemWidth((whole - (count - 1.0f) * gap) / count);
    ImGui::PushStyleColor(ImGuiCol_Text, inks[i]);
    if (editNumber(kIds[i], values[i], style, ui)) {
      gesture = gestureOf(kIds[i]);
      changed = true;
    }
    ImGui::PopStyleColor();
  }
  return changed;
}

bool editThree(Eigen::Vector3d& value, const NumberStyle& style, UiState& ui, std::string& gesture) {
  return editSeveral(std::span(value.data(), 3), colors::kAxes, style, ui, gesture);
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

void worldPlaceRow(const char* label, const char* about, const Eigen::Vector3d& value,
                   const std::optional<Eigen::Vector3d>& byDefault, UiState& ui, const SetVector& set) {
  const ShownWorld& world = ui.world;
  const auto shownDefault = byDefault ? std::optional<Eigen::Vector3d>(world.toShown(*byDefault)) : std::nullopt;
  placeRow(label, about, world.toShown(value), shownDefault, ui,
           [&](const Eigen::Vector3d& shown, const std::string& gesture) { set(world.toScene(shown), gesture); });
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

/// The axes (pitch, yaw, roll) as columns, in which R = yaw pitch roll is R = Ry Rx Rz.
Eigen::Matrix3d turningAxes(bool isZUp) {
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();
  if (isZUp) axes << 0, 0, 1, 1, 0, 0, 0, 1, 0;
  return axes;
}

bool isSameTurn(const Eigen::Matrix3d& a, const Eigen::Matrix3d& b) { return (a - b).norm() < 1e-9; }

}  // namespace

Eigen::Vector3d rollPitchYaw(const Eigen::Matrix3d& rotation, bool isZUp) {
  const Eigen::Matrix3d axes = turningAxes(isZUp);
  return axes * anglesOf(axes.transpose() * rotation * axes);
}

Eigen::Matrix3d fromRollPitchYaw(const Eigen::Vector3d& angles, bool isZUp) {
  const Eigen::Matrix3d axes = turningAxes(isZUp);
  return axes * turnedBy(axes.transpose() * angles) * axes.transpose();
}

void anglesRow(const char* label, const Eigen::Matrix3d& rotation, const Eigen::Matrix3d& byDefault,
               const char* resetTip, UiState& ui, const SetFrame& set) {
  ImGui::PushID(label);
  const char* about = ui.world.isZUp() ? "roll about x, then pitch about y, then yaw about z, as in URDF, in degrees"
                                       : "about x (pitch), y (yaw) and z (roll), in degrees: first roll, then pitch, "
                                         "then yaw";
  rowLabel(label, about, kResetEms);
  const bool isZUp = ui.world.isZUp();
  Eigen::Vector3d degrees = kDegrees * rollPitchYaw(rotation, isZUp);
  std::string gesture;
  if (editThree(degrees, {.format = "%.1f°", .speed = 0.5, .tooltip = about}, ui, gesture))
    set(fromRollPitchYaw(degrees / kDegrees, isZUp), gesture);
  if (resetButton("##reset", isSameTurn(rotation, byDefault), resetTip)) set(byDefault, "");
  ImGui::PopID();
}

void quaternionRow(const char* label, const Eigen::Matrix3d& rotation, const Eigen::Matrix3d& byDefault, UiState& ui,
                   const SetFrame& set) {
  ImGui::PushID(label);
  const char* about = "unit quaternion w, x, y, z; what you type is normalised";
  rowLabel(label, about, kResetEms);
  Eigen::Quaterniond shown(rotation);
  if (shown.w() < 0.0) shown.coeffs() *= -1.0;
  std::array<double, 4> numbers = {shown.w(), shown.x(), shown.y(), shown.z()};
  const std::array<ImVec4, 4> inks = {colors::kText, colors::kAxes[0], colors::kAxes[1], colors::kAxes[2]};
  std::string gesture;
  if (editSeveral(numbers, inks, {.format = "%.4f", .speed = 0.002, .tooltip = about}, ui, gesture)) {
    const Eigen::Quaterniond typed(numbers[0], numbers[1], numbers[2], numbers[3]);
    if (typed.norm() > kNoDirection) set(typed.normalized().toRotationMatrix(), gesture);
    else ui.message = {"not a rotation: the old one stays", true, ui.now + 6.0};
  }
  if (resetButton("##reset", isSameTurn(rotation, byDefault), "back to how it is now")) set(byDefault, "");
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

void worldDirectionRow(const char* label, const char* about, const Eigen::Matrix3d& frame, int axis,
                       const Eigen::Matrix3d& byDefault, UiState& ui, const SetFrame& set) {
  const ShownWorld& world = ui.world;
  directionRow(
      label, about, world.turnedToShown(frame), axis, world.turnedToShown(byDefault), ui,
      [&](const Eigen::Matrix3d& shown, const std::string& gesture) { set(world.turnedToScene(shown), gesture); });
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
