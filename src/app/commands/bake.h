// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "limber/scene/base.h"

namespace limber::app {

struct BakeArguments {
  std::string file;                       ///< a scene with a timeline
  std::optional<BaseChoice> base;  ///< of a robot, in place of what the file says
  std::string output;                     ///< the motion, in the format of the ending; empty: none
  std::optional<double> framesPerSecond;  ///< the timeline's when not given
  double from = 0.0;                      ///< seconds
  std::optional<double> to;               ///< seconds; the timeline's end when not given
  std::optional<double> keysWithin;       ///< degrees: keys of poses in the place of a motion, for a scene as output
};

/// `limber bake`: a scene's timeline as a motion, said as JSON (docs/timeline.md). Ctrl+C cancels, nothing is written
/// then. Exit code: 0 whether all frames are reached or not.
int runBake(const BakeArguments& arguments, std::ostream& out, std::ostream& err);

}  // namespace limber::app
