// SPDX-License-Identifier: MIT
// What the command line tells the window. Known to both, which do not know each other.
#pragma once

#include <optional>
#include <string>

#include "limber/scene/base.h"

namespace limber::app {

struct WindowOptions {
  std::string file;    ///< to open; empty: the human
  std::optional<BaseChoice> base;  ///< --base: of a robot
  double scale = 0.0;  ///< --scale: of text and panels; 0: the display's own
  int measuredFrames = 0;  ///< --measure: so many with a turning camera, then the costs are printed; 0 for none
  std::string record;  ///< --record: what is done is noted there; empty: it is not
  bool quiet = false;  ///< --quiet: no line on the console for each solve
};

}  // namespace limber::app
