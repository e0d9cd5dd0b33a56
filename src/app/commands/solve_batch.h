// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <optional>
#include <ostream>
#include <string>

#include "limber/scene/base.h"

namespace limber::app {

struct SolveBatchArguments {
  std::string file;                  ///< of lines; "-" is standard input
  std::string figure;                ///< anything that opens; empty: the first line says it
  std::optional<BaseChoice> base;  ///< of a robot, in place of what the file says
  std::string output;                ///< empty or "-": standard output
  std::string precision = "single";  ///< or "double"
  bool polish = false;
  int threads = 0;                   ///< 0: as many as the machine has
  int restarts = 200;
  std::chrono::milliseconds progressInterval{2000};  ///< no less between two lines that say how it goes
};

/// `limber solve --batch`: a problem a line in, an answer a line out, in order (docs/formats.md). Stops at the first
/// line that is no problem, with the answers before it written; Ctrl+C stops it between lines. Exit code.
int runSolveBatch(const SolveBatchArguments& arguments, std::ostream& out, std::ostream& err);

}  // namespace limber::app
