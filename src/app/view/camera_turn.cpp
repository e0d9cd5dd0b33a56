// SPDX-License-Identifier: MIT
#include "app/view/camera_turn.h"

#include <algorithm>

namespace limber::app {

Camera advanceTurn(std::optional<CameraTurn>& turn, double now) {
  const double t = std::clamp((now - turn->started) / kTurnSeconds, 0.0, 1.0);
  const Camera camera = between(turn->from, turn->to, t * t * (3.0 - 2.0 * t));
  if (t >= 1.0) turn.reset();
  return camera;
}

const Camera& endOf(const std::optional<CameraTurn>& turn, const Camera& present) { return turn ? turn->to : present; }

}  // namespace limber::app
