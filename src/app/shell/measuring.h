// SPDX-License-Identifier: MIT
// Times and memory of the window, for limber --measure, and the clock of its frames.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace limber::app {

/// Seconds of a steady clock.
double secondsNow();

/// Seconds since the process started; since the first call if the system does not report that time.
double secondsSinceStart();

/// Processor time of all threads of the program, seconds.
double processorSeconds();

/// Resident memory of the program; empty if the system does not report it.
std::optional<double> residentMegabytes();

struct FrameCost {
  double wall = 0.0, processor = 0.0;  ///< seconds
};

struct FrameCosts {
  std::vector<double> wall, processor;  ///< seconds, one per frame

  void add(const FrameCost& frame) {
    wall.push_back(frame.wall);
    processor.push_back(frame.processor);
  }
};

struct WindowCosts {
  double firstFrame = 0.0;  ///< seconds from the start of the program until the first frame was shown
  double firstFrameProcessor = 0.0;
  FrameCosts moving;         ///< while the camera turns
  FrameCosts still;          ///< the frame after it has stopped, drawn in full quality
  FrameCosts even, natural;  ///< while a point is dragged, for each posing choice
  std::optional<double> megabytes;
  double idleSeconds = 0.0, idleProcessor = 0.0;
  int pictureWidth = 0, pictureHeight = 0;  ///< of the picture without its panels, pixels
  std::string device;
};

/// The costs in words, one line each; for frames the least and the median time.
std::string describe(const WindowCosts& costs);

}  // namespace limber::app
