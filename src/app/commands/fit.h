// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "limber/scene/base.h"

namespace limber::app {

struct FitArguments {
  std::string figure;          ///< anything that opens
  std::optional<BaseChoice> base;  ///< of a robot, in place of what the file says
  std::string observations;    ///< JSON, CSV, TRC, or anything that opens with a motion
  std::string map;             ///< names (io/points/point_map.h); empty: guessed
  std::string scale = "auto";  ///< or a number
  std::string points = "all";  ///< or "ends"
  std::string up;              ///< "x", "y" or "z": of the observations; empty: what they say, else y
  std::string output;          ///< the motion, in the format of the ending (io/export_formats.h); empty: none
  std::string costs;           ///< a line a frame, CSV; empty: none
  double damping = 5.0;        ///< FitOptions::damping
};

/// `limber fit`: the figure fitted to observed points, said as JSON (docs/fit.md). Exit code.
int runFitVerb(const FitArguments& arguments, std::ostream& out, std::ostream& err);

}  // namespace limber::app
