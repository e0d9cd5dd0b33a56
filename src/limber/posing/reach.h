// SPDX-License-Identifier: MIT
// Proofs that no pose meets a goal, by the sum of lengths to which links and slides could stretch without joint limits.
#pragma once

#include <vector>

#include "limber/kinematics/forward_kinematics.h"
#include "limber/problem/goal_error.h"

namespace limber {

/// True if no pose brings the goal within the tolerance: the distance of its target from the first joint that can move
/// exceeds the sum of the lengths between, or no joint moves it. Rounding is counted in the goal's favour, so that a
/// goal which some pose meets is never called out of reach. False for directions, poses and balance if a joint moves
/// them.
///
/// kinematics  those of problem.pose
/// moves       one entry per step coordinate: 1 if the solve may change it, also as a follower
bool isProvedOutOfReach(const IkProblem& problem, const std::vector<char>& moves, const Kinematics& kinematics,
                        const GoalItem& goal, const Tolerance& tolerance);

/// True if one of the goal's links can move.
bool isMovable(const IkProblem& problem, const std::vector<char>& moves, const Kinematics& kinematics,
               const GoalItem& goal);

}  // namespace limber
