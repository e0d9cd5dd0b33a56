// SPDX-License-Identifier: MIT
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace limber::app {

struct RaceArguments {
  std::string file;                  ///< a problem or a scene
  std::vector<std::string> solvers;  ///< names of the registry; empty: all of it
  std::string csv;                   ///< empty: none; where the iterates go
  bool json = false;                 ///< in place of the table
};

/// `limber race`: poses the same problem by several methods, one after the other, and compares (docs/formats.md). Exit
/// code.
int runRace(const RaceArguments& arguments, std::ostream& out, std::ostream& err);

}  // namespace limber::app
