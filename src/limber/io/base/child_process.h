// SPDX-License-Identifier: MIT
// Child processes with limits of time and output. A child that crashes or does not end becomes an error message. The
// time limit counts the child's processor time, so that a busy machine does not make a file fail.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "limber/io/base/open_context.h"
#include "limber/io/base/result.h"

namespace limber::io {

struct ChildLimits {
  double processorSeconds = 10.0;     ///< of the child, until it is killed
  double idleSeconds = 30.0;          ///< without processor time or output, until it is killed
  std::size_t maxBytes = 512u << 20;  ///< of standard output
};

/// Runs `program` without a shell and returns its standard output. The cause of an error is its standard error, or how
/// it ended; the caller adds file and place. Calls context.goesOn(0.5, what) about 20 times per second, and kills the
/// child if that returns false. Subtracts the child's processor time from limits.processorSeconds. Platforms without
/// child processes (platform.h) return an error.
Result<std::string> runChild(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                             ChildLimits& limits, const OpenContext& context, std::string_view what);

}  // namespace limber::io
