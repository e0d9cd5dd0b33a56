// SPDX-License-Identifier: MIT
// Starts of a search from closed forms (limber/ways): poses of a serial arm that meet the goal for its tip.
#pragma once

#include <optional>
#include <vector>

#include "limber/objective/objective.h"
#include "limber/ways/near_ways.h"

namespace limber {

/// Memory of findArmStarts(), sized by its first call; a call allocates nothing when warm.
struct ArmStarts {
  std::vector<Pose> poses = {};  ///< the first `count` are valid
  int count = 0;

  std::optional<ways::ArmSolver> solver = {};
  ways::NearWays near = {};
  Pose zero = {};
  Kinematics kinematics = {};
};

/// Finds at most `most` poses that meet the only goal of the objective for a position, or a position and orientation
/// with all axes, the nearest to the start first. Other goals are ignored. None is found unless at most seven active
/// hinges and slides (three for a position) move the goal's link, without couplings. Other coordinates stay. The poses
/// are within the limits of the start's room (FeasibleSet::room).
void findArmStarts(const Objective& objective, const Pose& start, int most, ArmStarts& starts);

}  // namespace limber
