// SPDX-License-Identifier: MIT
// What the Race panel shows of a race and steps through, and where a race begins.
#pragma once

#include <memory>
#include <string>

#include "limber/posing/race.h"

namespace limber::app {

struct RaceView {
  enum class Quantity { AboveBest, Objective, Gradient };
  enum class Axis { Iterations, Time };

  std::string lane;  ///< the solver that is stepped through and drawn thick; empty: the first that has an answer
  int step = -1;     ///< iterate of `stepped`; -1 for the last one
  std::shared_ptr<const LaneResult> stepped;  ///< to which `step` refers; others show their last
  Quantity quantity = Quantity::AboveBest;
  Axis axis = Axis::Iterations;
  bool isAxisLogarithmic = true;
  bool showsCurves = false;  ///< if there is no room for both: curves, not the table
};

/// The pose at which a race begins that a button starts.
enum class RaceStart {
  Drag,  ///< the pose at the last mouse-down
  Rest,  ///< the rest pose
};

}  // namespace limber::app
