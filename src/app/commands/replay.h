// SPDX-License-Identifier: MIT
#pragma once

#include <ostream>
#include <string>

namespace limber::app {

struct ReplayArguments {
  std::string file;
  std::string output;  ///< scene for the document at the end; empty: none
  bool isJson = false;
};

/// `limber replay`: replays a recording and compares the poses (docs/recording.md). Returns the exit code.
int runReplay(const ReplayArguments& arguments, std::ostream& out, std::ostream& err);

}  // namespace limber::app
