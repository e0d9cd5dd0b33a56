// SPDX-License-Identifier: MIT
// Disjunctions (Zhao and Badler 1994, eq. 27): of the goals that share an any-of, the one nearest to being met is live.
// It is chosen between solves, so that a solver never sees a minimum of several goals.
#pragma once

#include <map>
#include <vector>

#include "limber/kinematics/forward_kinematics.h"
#include "limber/problem/ik_problem.h"

namespace limber {

/// Live goals: any-of -> id of the live goal.
using Branches = std::map<int, int>;

/// The live branch of every any-of with an enabled goal, at problem.pose; `kinematics` are its transforms.
///
/// The branch that was live before is kept unless it is unmet and the potential 1/2 |r|^2 of another one is lower by
/// 20 %, so that a pose on the border between two branches does not flicker. Weights do not matter.
Branches chooseBranches(const IkProblem& problem, const Kinematics& kinematics, const Branches& before);

/// All other choices, at most kMostChoices, sorted by how near their new goals are to being met at problem.pose. A live
/// goal that is met is replaced as well, because it may keep another goal from being met.
inline constexpr std::size_t kMostChoices = 32;
std::vector<Branches> otherChoices(const IkProblem& problem, const Kinematics& kinematics, const Branches& live);

/// True if the goal has no any-of or is the live one.
bool isLive(const Branches& branches, const GoalItem& goal);

}  // namespace limber
