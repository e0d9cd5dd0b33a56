// SPDX-License-Identifier: MIT
// Serial planar chains that are nothing like the assignment's: links of any length and bearing, hinges either way
// round, locked joints between them, goals on inner links and out of the plane.
#pragma once

#include <memory>
#include <random>

#include "limber/kinematics/pose.h"
#include "limber/objective/objective.h"

namespace limber::test {

struct PlanarOptions {
  int hinges = 10;          ///< that may move
  int goals = 1;            ///< the first at the end, the others anywhere
  bool isAwkward = true;    ///< else links of length 1 along x
  bool hasLocks = true;     ///< joints between the hinges that may not move; awkward ones only
  double restWeight = 1.0;
  bool hasIdleLimit = false;  ///< a limit far away: no planar chain without limits any more
};

Objective makePlanarObjective(const PlanarOptions& options, std::mt19937& random);

/// Angles of the hinges uniform within +-spread, everything else within +-0.5.
Pose randomPlanarPose(const Objective& objective, double spread, std::mt19937& random);

}  // namespace limber::test
