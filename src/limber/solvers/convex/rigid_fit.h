// SPDX-License-Identifier: MIT
// Aligns a figure as a whole with observed points, before its joints are solved (Kabsch 1976;
// solvers/steps/best_rotation.h).
#pragma once

#include <optional>
#include <span>

#include "limber/kinematics/pose.h"

namespace limber {

/// A point of a body and its target; metres, in the world.
struct PointPair {
  double weight = 1.0;  ///< >= 0
  Eigen::Vector3d here, there;
};

/// The rigid motion of the world that brings the points nearest to their targets by weighted least squares; the
/// identity if no pair has a weight.
std::optional<Transform> bestMotion(std::span<const PointPair> pairs);

/// Moves a free root, which is at worldFromLink, by a motion of the world.
void moveRoot(const Figure& figure, int root, const Transform& worldFromLink, const Transform& motion, Pose& pose);

}  // namespace limber
