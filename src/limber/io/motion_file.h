// SPDX-License-Identifier: MIT
// Motions from files for a figure that is already open.
#pragma once

#include <filesystem>
#include <memory>

#include "limber/io/base/result.h"
#include "limber/kinematics/figure.h"
#include "limber/scene/motion.h"

namespace limber::io {

/// The motion of a file, as a motion of `figure`: joint states (io/joint_states.h), or a file with a figure and a
/// motion. Joints are matched by name. The figure must have every joint that moves in the file, with the same type and
/// the same frame at rest; otherwise the same coordinates would be another pose. Other joints of the figure stay at
/// rest.
Result<std::shared_ptr<const Motion>> readMotionFor(const Figure& figure, const std::filesystem::path& path);

}  // namespace limber::io
