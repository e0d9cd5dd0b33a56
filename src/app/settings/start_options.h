// SPDX-License-Identifier: MIT
// Options of the command line for the window, in a header that both may include.
#pragma once

#include <optional>
#include <string>

#include "limber/scene/base.h"

namespace limber::app {

struct WindowOptions {
  std::string file;                ///< to open; empty for the human
  std::optional<BaseChoice> base;  ///< --base: free or fixed, for a robot
  double scale = 0.0;              ///< --scale: of text and panels; 0 for the display's
  int measuredFrames = 0;          ///< --measure: frames to measure before the window closes; 0 for none
  std::string record;              ///< --record: file of the recording; empty for none
  bool quiet = false;              ///< --quiet: no line on the console for each solve
};

}  // namespace limber::app
