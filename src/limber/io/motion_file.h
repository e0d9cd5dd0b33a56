// SPDX-License-Identifier: MIT
// A motion of one file for the figure of another.
#pragma once

#include <filesystem>
#include <memory>

#include "limber/io/base/result.h"
#include "limber/kinematics/figure.h"
#include "limber/scene/motion.h"

namespace limber::io {

/// The motion of a file, for a figure that has the same joints: joint states (io/joint_states.h), or whatever opens
/// with a motion and a figure. Joints are matched by name; of those that move in the file each must be there, of the
/// same type and standing alike at rest, else the same numbers would mean another pose. What the file has no joint for
/// rests.
Result<std::shared_ptr<const Motion>> readMotionFor(const Figure& figure, const std::filesystem::path& path);

}  // namespace limber::io
