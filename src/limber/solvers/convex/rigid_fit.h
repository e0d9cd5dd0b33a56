// SPDX-License-Identifier: MIT
// A figure laid onto observed points as a whole, before its joints are asked (Kabsch 1976;
// solvers/steps/best_rotation.h).
#pragma once

#include <optional>
#include <span>

#include "limber/kinematics/pose.h"

namespace limber {

/// A point of a body, where it is and where it should be; metres, in the world.
struct PointPair {
  double weight = 1.0;  ///< >= 0
  Eigen::Vector3d here, there;
};

/// The rigid motion of the world that brings the points nearest to where they should be, in the sense of weighted least
/// squares; nothing when no pair has weight.
std::optional<Transform> bestMotion(std::span<const PointPair> pairs);

/// Moves a free root, which stands at worldFromLink, by a motion of the world.
void moveRoot(const Figure& figure, int root, const Transform& worldFromLink, const Transform& motion, Pose& pose);

}  // namespace limber
