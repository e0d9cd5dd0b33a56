// SPDX-License-Identifier: MIT
// The pose on which a verb works: --frame and --pose.
#pragma once

#include <optional>
#include <string>

#include "limber/io/open.h"
#include "limber/scene/base.h"
#include "limber/scene/document.h"

namespace limber::app {

class Console;

struct PoseArgument {
  std::string pose;          ///< JSON text, a file of it, or a name in the library; empty: the file's pose
  std::optional<int> frame;  ///< of the file's motion, from 0

  bool isGiven() const { return !pose.empty() || frame.has_value(); }
};

/// The chosen pose. Joints that it does not name are as in the frame or, without one, at rest. Errors name `file`. A
/// pose of other joints is transferred by the parts of the body; notes name the parts that do not fit.
io::Result<Pose> choosePose(const PoseArgument& argument, const Document& document, const std::string& file,
                            Console& console);

/// Opens a file at the chosen pose.
io::Result<io::Opened> openPosed(const std::string& file, const PoseArgument& argument, Console& console,
                                 const io::OpenContext& context = {});

}  // namespace limber::app
