// SPDX-License-Identifier: MIT
// A rotation as the angles of a joint's rotation channels: the inverse of what Motion::poseAt does.
#pragma once

#include <Eigen/Geometry>
#include <span>

#include "limber/scene/motion.h"

namespace limber::io {

/// Finds angles with  R = turn(axes[0], angles[0]) * turn(axes[1], angles[1]) * ...
///
/// axes     0 x, 1 y, 2 z; at most six
/// angles   degrees, as many; in: those of the frame before or of the file; out: the solution nearest to them, whole
///          turns included, so that curves stay smooth
/// returns  the angle that is left between the two rotations, radians: 0 to rounding where the channels can express R
double eulerAngles(const Eigen::Matrix3d& rotation, std::span<const int> axes, std::span<double> angles);

}  // namespace limber::io
