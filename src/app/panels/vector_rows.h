// SPDX-License-Identifier: MIT
// Rows of three numbers for places, factors, directions and rotations.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <optional>
#include <string>

#include "app/editing/ui_state.h"

namespace limber::app {

using SetVector = std::function<void(const Eigen::Vector3d&, const std::string& gesture)>;

/// A place in metres, shown in the chosen unit; `byDefault`, when given, is the value of the reset button.
void placeRow(const char* label, const char* about, const Eigen::Vector3d& value,
              const std::optional<Eigen::Vector3d>& byDefault, UiState& ui, const SetVector& set);

/// A place of the scene, shown in the axes of ui.world.
void worldPlaceRow(const char* label, const char* about, const Eigen::Vector3d& value,
                   const std::optional<Eigen::Vector3d>& byDefault, UiState& ui, const SetVector& set);

void factorsRow(const char* label, const char* about, const Eigen::Vector3d& value, UiState& ui, const SetVector& set);

using SetFrame = std::function<void(const Eigen::Matrix3d&, const std::string& gesture)>;

/// One axis (0: x, 1: y) of a frame; the typed direction is normalized. A new x turns the other axes along, a new y is
/// made orthogonal to x. Zero, and a y along x, are refused with a message.
void directionRow(const char* label, const char* about, const Eigen::Matrix3d& frame, int axis,
                  const Eigen::Matrix3d& byDefault, UiState& ui, const SetFrame& set);

/// One axis of a frame in the scene, shown in the axes of ui.world.
void worldDirectionRow(const char* label, const char* about, const Eigen::Matrix3d& frame, int axis,
                       const Eigen::Matrix3d& byDefault, UiState& ui, const SetFrame& set);

/// The angles about x, y and z, radians, of a rotation R = yaw pitch roll. With z up roll, pitch and yaw are about x, y
/// and z, as in URDF; with y up about z, x and y. fromRollPitchYaw is the inverse.
Eigen::Vector3d rollPitchYaw(const Eigen::Matrix3d& rotation, bool isZUp);
Eigen::Matrix3d fromRollPitchYaw(const Eigen::Vector3d& angles, bool isZUp);

/// A rotation in the axes of ui.world as angles in degrees about x, y and z (rollPitchYaw).
void anglesRow(const char* label, const Eigen::Matrix3d& rotation, const Eigen::Matrix3d& byDefault,
               const char* resetTip, UiState& ui, const SetFrame& set);
/// The same rotation as a unit quaternion w, x, y, z; the typed one is normalised.
void quaternionRow(const char* label, const Eigen::Matrix3d& rotation, const Eigen::Matrix3d& byDefault, UiState& ui,
                   const SetFrame& set);

/// The frame with this axis (0: x, 1: y) along `direction`; empty if `direction` is zero, or if y would be along x.
std::optional<Eigen::Matrix3d> frameWithAxis(const Eigen::Matrix3d& frame, int axis, const Eigen::Vector3d& direction);

}  // namespace limber::app
