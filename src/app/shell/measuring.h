// SPDX-License-Identifier: MIT
// What the window costs, for limber --measure: times, memory, and a sentence for each.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace limber::app {

/// Seconds since the program was started by the system; since the first call where that is not told.
double secondsSinceStart();

/// Of all threads of the program, seconds.
double processorSeconds();

/// What of the program is in memory; nothing where the system does not tell.
std::optional<double> residentMegabytes();

struct FrameCost {
  double wall = 0.0, processor = 0.0;  ///< seconds
};

/// Times of some frames.
struct FrameCosts {
  std::vector<double> wall, processor;  ///< seconds, one a frame

  void add(const FrameCost& frame) {
    wall.push_back(frame.wall);
    processor.push_back(frame.processor);
  }
};

struct WindowCosts {
  double firstFrame = 0.0;  ///< seconds from the start of the program until the first frame was shown
  double firstFrameProcessor = 0.0;
  FrameCosts moving;        ///< while the camera turns
  FrameCosts still;         ///< the frame after it has stopped, drawn as well as it can be
  FrameCosts even, natural; ///< while a point is dragged, by how the figure is posed
  std::optional<double> megabytes;
  double idleSeconds = 0.0, idleProcessor = 0.0;
  int pictureWidth = 0, pictureHeight = 0;  ///< of the picture without its panels, pixels
  std::string device;
};

/// One line each; the least and the median of the frames.
std::string describe(const WindowCosts& costs);

}  // namespace limber::app
