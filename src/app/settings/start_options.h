// SPDX-License-Identifier: MIT
// Options of the command line for the window, in a header that both may include.
#pragma once

#include <string>

#include "limber/io/base/open_context.h"

namespace limber::app {

struct WindowOptions {
  std::string file;         ///< to open; empty for the human
  io::OpenContext context;  ///< --base and --bvh-positions: how it is opened
  double scale = 0.0;       ///< --scale: of text and panels; 0 for the display's
  int measuredFrames = 0;   ///< --measure: frames to measure before the window closes; 0 for none
  std::string record;       ///< --record: file of the recording; empty for none
  bool quiet = false;       ///< --quiet: no line on the console for each solve
};

}  // namespace limber::app
