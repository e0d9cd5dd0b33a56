// SPDX-License-Identifier: MIT
// The serial arm that moves the end effector of a goal.
#pragma once

#include "limber/problem/ik_problem.h"
#include "limber/ways/arm_solver.h"

namespace limber {

/// The joints between the world and the goal's end effector. Those that are locked, rigid or not in the goal's chain
/// keep their coordinates of the problem's pose. The fault says why the figure has no such arm.
ways::ScrewChain armOf(const IkProblem& problem, const GoalItem& goal);

/// What an arm must meet of a goal of position, or of position and orientation.
ways::Aspect aspectOf(const GoalItem& goal);

}  // namespace limber
