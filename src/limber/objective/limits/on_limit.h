// SPDX-License-Identifier: MIT
// What the parts of the feasible set share.
#pragma once

#include <Eigen/Geometry>

#include "limber/kinematics/pose.h"

namespace limber {

inline constexpr double kOnLimit = 1e-11;  ///< a pose stands on a limit that is no farther; radians, metres

/// The unit quaternion at a place of the pose.
inline Eigen::Quaterniond rotationAt(const Pose& pose, int at) {
  return Eigen::Quaterniond(pose.coordinates[at + 3], pose.coordinates[at], pose.coordinates[at + 1],
                            pose.coordinates[at + 2]);
}

}  // namespace limber
