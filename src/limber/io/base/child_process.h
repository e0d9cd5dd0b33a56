// SPDX-License-Identifier: MIT
// Child processes with limits of time and output. A child that crashes or does not end becomes an error message.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "limber/io/base/open_context.h"
#include "limber/io/base/result.h"

namespace limber::io {

struct ChildLimits {
  double seconds = 10.0;              ///< wall-clock time until the child is killed
  std::size_t maxBytes = 512u << 20;  ///< of standard output
};

/// Runs `program` without a shell and returns its standard output. The cause of an error is its standard error, or how
/// it ended; the caller adds file and place. Calls context.goesOn(0.5, what) about twenty times a second, and kills the
/// child when that returns false. Platforms without child processes (platform.h) return an error.
Result<std::string> runChild(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                             const ChildLimits& limits, const OpenContext& context, std::string_view what);

}  // namespace limber::io
