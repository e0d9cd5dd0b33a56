// SPDX-License-Identifier: MIT
// The short way of the camera from one view to another: it shows where one has got to.
#pragma once

#include <optional>

#include "app/view/camera.h"

namespace limber::app {

inline constexpr double kTurnSeconds = 0.18;

struct CameraTurn {
  Camera from, to;
  double started = 0.0;  ///< seconds
};

/// Where it stands at a time; its end exactly once that has come, and then the turn is over.
Camera advanceTurn(std::optional<CameraTurn>& turn, double now);

/// Where the camera will be: the end of the turn under way, else where it is.
const Camera& endOf(const std::optional<CameraTurn>& turn, const Camera& present);

}  // namespace limber::app
