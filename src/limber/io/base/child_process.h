// SPDX-License-Identifier: MIT
// A program that is run beside this one, whose crash, hunger or endless loop is an error message here.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "limber/io/base/open_context.h"
#include "limber/io/base/result.h"

namespace limber::io {

struct ChildLimits {
  double seconds = 10.0;                  ///< of the wall clock, then it is killed
  std::size_t maxBytes = 512u << 20;      ///< of what it prints
};

/// Runs `program` without a shell and gives back what it printed on standard output. The cause of an error is what it
/// said on standard error, or how it ended; file and place are left to the caller. Asks context.goesOn(0.5, what) about
/// twenty times a second, and kills the child when that says no. An error where there are no child processes (platform.h).
Result<std::string> runChild(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                             const ChildLimits& limits, const OpenContext& context, std::string_view what);

}  // namespace limber::io
