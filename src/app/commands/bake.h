// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "limber/scene/base.h"

namespace limber::app {

struct BakeArguments {
  std::string file;                       ///< a scene with a timeline
  std::optional<BaseChoice> base;         ///< of a robot, overrides the file
  std::string output;                     ///< the motion, in the format of the ending; empty: none
  std::optional<double> framesPerSecond;  ///< the timeline's when not given
  double from = 0.0;                      ///< seconds
  std::optional<double> to;               ///< seconds; the timeline's end when not given
  std::optional<double> keysWithin;       ///< degrees: tolerance of keys that replace the motion in a scene
};

/// `limber bake`: bakes a scene's timeline into a motion and prints a report as JSON (docs/timeline.md). Ctrl+C
/// cancels, and nothing is written. Returns the exit code, 0 even if frames are not reached.
int runBake(const BakeArguments& arguments, std::ostream& out, std::ostream& err);

}  // namespace limber::app
