// SPDX-License-Identifier: MIT
// Rows of three numbers: places and directions.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <optional>
#include <string>

#include "app/editing/ui_state.h"

namespace limber::app {

using SetVector = std::function<void(const Eigen::Vector3d&, const std::string& gesture)>;

/// A place, in metres here and in the chosen unit on the screen, its numbers coloured by axis; `byDefault`, when given,
/// is what the reset goes back to.
void placeRow(const char* label, const char* about, const Eigen::Vector3d& value,
              const std::optional<Eigen::Vector3d>& byDefault, UiState& ui, const SetVector& set);

/// Three factors.
void factorsRow(const char* label, const char* about, const Eigen::Vector3d& value, UiState& ui, const SetVector& set);

using SetFrame = std::function<void(const Eigen::Matrix3d&, const std::string& gesture)>;

/// One axis (0: x, 1: y) of a frame. Its three numbers are brought to length one; x takes the others along, y stays
/// across x. What is no direction is refused with a message.
void directionRow(const char* label, const char* about, const Eigen::Matrix3d& frame, int axis,
                  const Eigen::Matrix3d& byDefault, UiState& ui, const SetFrame& set);

/// A turn as three angles in degrees: R = Ry Rx Rz, each about its own axis.
void anglesRow(const char* label, const char* about, const Eigen::Matrix3d& rotation, UiState& ui, const SetFrame& set);

/// The frame with that axis along `direction`; nothing when that leaves none.
std::optional<Eigen::Matrix3d> frameWithAxis(const Eigen::Matrix3d& frame, int axis, const Eigen::Vector3d& direction);

}  // namespace limber::app
