// SPDX-License-Identifier: MIT
// The angles of a joint's rotation channels for a rotation: the inverse of Motion::poseAt.
#pragma once

#include <Eigen/Geometry>
#include <span>

#include "limber/scene/motion.h"

namespace limber::io {

/// Finds angles with  R = turn(axes[0], angles[0]) * turn(axes[1], angles[1]) * ...
///
/// axes     0 x, 1 y, 2 z; at most six
/// angles   degrees, one for each axis. In: those of the previous frame or of the file. Out: the nearest solution, with
///          full turns added, so that curves stay smooth
/// returns  the angle between R and the rotation of the channels, radians: 0 up to rounding where they can express R
double eulerAngles(const Eigen::Matrix3d& rotation, std::span<const int> axes, std::span<double> angles);

}  // namespace limber::io
