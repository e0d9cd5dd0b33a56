// SPDX-License-Identifier: MIT
#include "limber/posing/goal_arm.h"

#include <algorithm>
#include <vector>

namespace limber {

ways::ScrewChain armOf(const IkProblem& problem, const GoalItem& goal) {
  std::vector<char> held(problem.joints.size());
  for (std::size_t i = 0; i < held.size(); ++i) {
    const bool isUsed = goal.chain.empty() || std::ranges::find(goal.chain, static_cast<int>(i)) != goal.chain.end();
    held[i] = problem.joints[i].locked || problem.joints[i].rigidity >= 1.0 || !isUsed;
  }
  return ways::screwChainOf(*problem.figure, problem.pose, goal.link, {goal.frameInLink, goal.pointInLink}, held,
                            activeCouplings(problem));
}

ways::Aspect aspectOf(const GoalItem& goal) {
  return goal.type == GoalType::Position ? ways::Aspect::Position : ways::Aspect::Place;
}

}  // namespace limber
