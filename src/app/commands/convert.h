// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "app/commands/pose_argument.h"

namespace limber::app {

struct ConvertArguments {
  std::string input;               ///< anything that opens
  std::optional<BaseChoice> base;  ///< of a robot, overrides the file
  std::string output;              ///< in the format of its ending (io/export_formats.h)
  std::string motion;              ///< file with a motion of the same figure (io/motion_file.h); empty: its own motion
  PoseArgument pose;               ///< put into its frame, or the first one; if none is given, the motion stays
};

/// `limber convert`: converts a file to another format, and says on `err` what that cannot hold. Returns the exit code.
int runConvert(const ConvertArguments& arguments, std::ostream& err);

}  // namespace limber::app
