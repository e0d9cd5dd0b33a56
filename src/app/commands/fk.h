// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <ostream>
#include <string>

namespace limber::app {

struct FkArguments {
  std::string file;          ///< anything that opens
  std::string pose;          ///< JSON text, or a file of it; empty: the pose that the file opens with
  std::optional<int> frame;  ///< of the file's motion, from 0
};

/// `limber fk`: prints {"links": [{"name", "position", "rotation"}]} in the file's own axes and units; rotations are
/// (x, y, z, w) with w >= 0. Joints that `pose` does not name keep the frame's value, without a frame their rest.
int runFk(const FkArguments& arguments, std::ostream& out, std::ostream& err);

}  // namespace limber::app
