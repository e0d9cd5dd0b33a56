// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "limber/scene/base.h"

namespace limber::app {

struct RaceArguments {
  std::string file;                  ///< a problem or a scene
  std::optional<BaseChoice> base;    ///< of a robot, overrides the file
  std::vector<std::string> solvers;  ///< names of the registry; empty: all
  std::string csv;                   ///< file for the iterates; empty: none
  bool json = false;                 ///< instead of the table
};

/// `limber race`: compares several solvers on one problem (docs/formats.md). Returns the exit code.
int runRace(const RaceArguments& arguments, std::ostream& out, std::ostream& err);

}  // namespace limber::app
