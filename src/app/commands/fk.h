// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "app/commands/pose_argument.h"

namespace limber::app {

struct FkArguments {
  std::string file;                ///< anything that opens
  std::optional<BaseChoice> base;  ///< of a robot, overrides the file
  PoseArgument pose;
};

/// `limber fk`: prints {"links": [{"name", "position", "rotation"}]} in the file's own axes and units; rotations are
/// (x, y, z, w) with w >= 0.
int runFk(const FkArguments& arguments, std::ostream& out, std::ostream& err);

}  // namespace limber::app
