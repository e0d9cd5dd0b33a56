// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "limber/scene/base.h"

namespace limber::app {

struct FitArguments {
  std::string figure;              ///< anything that opens
  std::optional<BaseChoice> base;  ///< of a robot, overrides the file
  std::string observations;        ///< JSON, CSV, TRC, or anything that opens with a motion
  std::string map;                 ///< file of names (io/points/point_map.h); empty: guessed
  std::string scale = "auto";      ///< or a number
  std::string points = "all";      ///< or "ends"
  std::string up;                  ///< "x", "y" or "z", of the observations; empty: as they say, else y
  std::string output;              ///< the motion, in the format of the ending (io/export_formats.h); empty: none
  std::string costs;               ///< CSV, one line per frame; empty: none
  double damping = 5.0;            ///< FitOptions::damping
};

/// `limber fit`: fits a figure to observed points and prints a report as JSON (docs/fit.md). Returns the exit code.
int runFitVerb(const FitArguments& arguments, std::ostream& out, std::ostream& err);

}  // namespace limber::app
