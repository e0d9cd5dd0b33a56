// SPDX-License-Identifier: MIT
// Disjunctions (Zhao and Badler 1994, eq. 27): of the goals that share an any-of, the one that is nearest to being met
// counts. A solver never sees the minimum: the live branch is chosen between solves.
#pragma once

#include <map>
#include <vector>

#include "limber/kinematics/forward_kinematics.h"
#include "limber/problem/ik_problem.h"

namespace limber {

/// Live goals: any-of -> id of the goal that counts.
using Branches = std::map<int, int>;

/// The live branch of every any-of with an enabled goal, at problem.pose; `kinematics` are its transforms.
///
/// The branch that was live before stays, unless it is unmet and another's potential 1/2 |r|^2 is lower by a margin of
/// 20 %: so a pose on the border between two branches does not flicker. Weights play no part in the choice.
Branches chooseBranches(const IkProblem& problem, const Kinematics& kinematics, const Branches& before);

/// Every other choice, those whose new goals are nearest to being met at problem.pose first; at most kMostChoices. One
/// whose live goal is met may keep another goal from being met.
inline constexpr std::size_t kMostChoices = 32;
std::vector<Branches> otherChoices(const IkProblem& problem, const Kinematics& kinematics, const Branches& live);

/// True when the goal is no alternative, or the one that counts.
bool isLive(const Branches& branches, const GoalItem& goal);

}  // namespace limber
