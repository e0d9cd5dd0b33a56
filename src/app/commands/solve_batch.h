// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <optional>
#include <ostream>
#include <string>

#include "limber/scene/base.h"

namespace limber::app {

struct SolveBatchArguments {
  std::string file;                  ///< of problems, one per line; "-" is standard input
  std::string figure;                ///< anything that opens; empty: on the first line
  std::optional<BaseChoice> base;    ///< of a robot, overrides the file
  std::string output;                ///< empty or "-": standard output
  std::string precision = "single";  ///< or "double"
  bool polish = false;
  int threads = 0;  ///< 0: as many as the machine has
  int restarts = 200;
  std::chrono::milliseconds progressInterval{2000};  ///< least time between lines of progress
};

/// `limber solve --batch`: reads one problem per line and prints one answer per line, in order (docs/formats.md). It
/// stops at an invalid line after the answers before it, and between lines on Ctrl+C. Returns the exit code.
int runSolveBatch(const SolveBatchArguments& arguments, std::ostream& out, std::ostream& err);

}  // namespace limber::app
