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
  std::optional<BaseChoice> base;  ///< of a robot, in place of what the file says
  std::vector<std::string> solvers;  ///< names of the registry; empty: all of it
  std::string csv;                   ///< empty: none; where the iterates go
  bool json = false;                 ///< in place of the table
};

/// `limber race`: poses the same problem by several methods, one after the other, and compares (docs/formats.md). Exit
/// code.
int runRace(const RaceArguments& arguments, std::ostream& out, std::ostream& err);

}  // namespace limber::app
