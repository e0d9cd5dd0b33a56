// SPDX-License-Identifier: MIT
// The short animation of the camera from one view to another, which shows how they relate.
#pragma once

#include <optional>

#include "app/view/camera.h"

namespace limber::app {

inline constexpr double kTurnSeconds = 0.18;

struct CameraTurn {
  Camera from, to;
  double started = 0.0;  ///< seconds
};

/// The camera at the time `now` (seconds) of a turn, which must be set. At its end the turn is reset.
Camera advanceTurn(std::optional<CameraTurn>& turn, double now);

/// The camera at the end of the turn, or `present` without one.
const Camera& endOf(const std::optional<CameraTurn>& turn, const Camera& present);

}  // namespace limber::app
