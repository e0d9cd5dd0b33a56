// SPDX-License-Identifier: MIT
// General serial planar chains: links of any length and direction, hinge axes of both signs, locked joints between
// them, goals on inner links and out of the plane.
#pragma once

#include <memory>
#include <random>

#include "limber/kinematics/pose.h"
#include "limber/objective/objective.h"

namespace limber::test {

struct PlanarOptions {
  int hinges = 10;        ///< that can move
  int goals = 1;          ///< the first one at the end, the others at random links
  bool isAwkward = true;  ///< false: links of length 1 along x
  bool hasLocks = true;   ///< locked joints between the hinges; only if isAwkward
  double restWeight = 1.0;
  bool hasIdleLimit = false;  ///< a limit that is never met: the chain no longer counts as unlimited
};

Objective makePlanarObjective(const PlanarOptions& options, std::mt19937& random);

/// A random pose with uniform angles of the hinges within +-spread, and all other coordinates within +-0.5.
Pose randomPlanarPose(const Objective& objective, double spread, std::mt19937& random);

}  // namespace limber::test
