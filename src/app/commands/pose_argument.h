// SPDX-License-Identifier: MIT
// Which pose a verb works on: --frame and --pose.
#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "limber/io/open.h"
#include "limber/scene/base.h"
#include "limber/scene/document.h"

namespace limber::app {

struct PoseArgument {
  std::string pose;          ///< JSON text, a file of it, or the name of a pose of the library; empty: the pose that the
                             ///< file opens with
  std::optional<int> frame;  ///< of the file's motion, from 0

  bool isGiven() const { return !pose.empty() || frame.has_value(); }
};

/// Joints that `pose` does not name keep the frame's value, without a frame their rest. `file` is what errors carry. A
/// pose of the library that was made for other joints is taken by the parts of the body; what of it does not fit is said
/// on `err`.
io::Result<Pose> choosePose(const PoseArgument& argument, const Document& document, const std::string& file,
                            std::ostream& err);

/// The file, at the pose that is given, else as it opens.
io::Result<io::Opened> openPosed(const std::string& file, const PoseArgument& argument, std::ostream& err,
                                 std::optional<BaseChoice> base = std::nullopt);

}  // namespace limber::app
