// SPDX-License-Identifier: MIT
// What no pose can meet, proved by adding up lengths: what links and slides could stretch to if no joint had a limit.
#pragma once

#include <vector>

#include "limber/kinematics/forward_kinematics.h"
#include "limber/problem/goal_error.h"

namespace limber {

/// True when no pose brings the goal within the tolerance: its target is farther from the
/// first joint that can move than the lengths between add up to, or nothing that can move moves it. What rounding could
/// have added is counted in the goal's favour, so that a goal which some pose meets is never called out of reach.
/// Nothing is proved of directions, poses and balance as long as something moves.
///
/// kinematics  those of problem.pose
/// moves       one a step coordinate: 1 for what the solve may change, followers among them
bool isProvedOutOfReach(const IkProblem& problem, const std::vector<char>& moves, const Kinematics& kinematics,
                        const GoalItem& goal, const Tolerance& tolerance);

/// True when one of the goal's links can move.
bool isMovable(const IkProblem& problem, const std::vector<char>& moves, const Kinematics& kinematics,
               const GoalItem& goal);

}  // namespace limber
