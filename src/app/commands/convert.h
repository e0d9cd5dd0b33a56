// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "app/commands/pose_argument.h"

namespace limber::app {

struct ConvertArguments {
  std::string input;   ///< anything that opens
  std::optional<BaseChoice> base;  ///< of a robot, in place of what the file says
  std::string output;  ///< its ending is the format (io/export_formats.h)
  std::string motion;  ///< of the same figure, in the place of its own (io/motion_file.h); empty: its own
  PoseArgument pose;   ///< put into the frame, or the first one; what is not given leaves the motion as it is
};

/// `limber convert`: what one format holds, in another. What the new one cannot say is said on `err`.
int runConvert(const ConvertArguments& arguments, std::ostream& err);

}  // namespace limber::app
