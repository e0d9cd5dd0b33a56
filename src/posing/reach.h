// SPDX-License-Identifier: MIT
// What no pose can meet, proved by adding up lengths: what links and slides could stretch to if no joint had a limit.
#pragma once

#include "kinematics/forward_kinematics.h"
#include "objective/objective.h"
#include "scene/document.h"

namespace limber {

/// True when no pose can meet the goal: its target is farther from the first joint that can move than the lengths
/// between add up to, or nothing that can move moves it, and it is not met. `kinematics` are those of document.pose.
/// Nothing is proved of directions, poses and balance as long as something moves.
bool isProvedOutOfReach(const Document& document, const Objective& objective, const Kinematics& kinematics,
                        const GoalItem& goal);

}  // namespace limber
