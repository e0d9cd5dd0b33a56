// SPDX-License-Identifier: MIT
// What the Race panel shows of a race, and asks of it.
#pragma once

#include <memory>
#include <string>

#include "limber/posing/race.h"

namespace limber::app {

/// What of the race the panel shows and steps through.
struct RaceView {
  enum class Quantity { AboveBest, Objective, Gradient };
  enum class Axis { Iterations, Time };

  std::string lane;  ///< the solver that is stepped through and drawn thick; empty: the first that has an answer
  int step = -1;     ///< of `stepped`; -1 for where it ended
  std::shared_ptr<const LaneResult> stepped;  ///< another answer is shown at its end
  Quantity quantity = Quantity::AboveBest;
  Axis axis = Axis::Iterations;
  bool isAxisLogarithmic = true;
  bool showsCurves = false;  ///< where there is no room for table and curves side by side: the curves
};

/// Where a race begins when it is asked for by a button.
enum class RaceStart {
  Drag,  ///< the pose at the last mouse-down
  Rest,  ///< the rest pose
};

}  // namespace limber::app
