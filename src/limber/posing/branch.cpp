// SPDX-License-Identifier: MIT
#include "limber/posing/branch.h"

#include <algorithm>

#include "limber/posing/potential.h"
#include "limber/problem/goal_error.h"

namespace limber {

namespace {
constexpr double kMargin = 0.2;  // of the live branch's potential
}

Branches chooseBranches(const IkProblem& problem, const Kinematics& kinematics, const Branches& before) {
  struct Choice {
    const GoalItem* best = nullptr;
    const GoalItem* live = nullptr;  ///< before
    double lowest = 0.0, ofLive = 0.0;
  };
  std::map<int, Choice> choices;
  for (const GoalItem& goal : problem.goals) {
    if (!goal.enabled || goal.anyOf < 0) continue;
    const double potential = potentialOf(problem, kinematics, goal);
    Choice& choice = choices[goal.anyOf];
    if (!choice.best || potential < choice.lowest) {
      choice.best = &goal;
      choice.lowest = potential;
    }
    if (const auto live = before.find(goal.anyOf); live != before.end() && live->second == goal.id) {
      choice.live = &goal;
      choice.ofLive = potential;
    }
  }
  Branches branches;
  for (const auto& [anyOf, choice] : choices) {
    const bool stays = choice.live && (choice.lowest >= (1.0 - kMargin) * choice.ofLive ||
                                       isMet(problem, goalErrorOf(problem, kinematics, *choice.live)));
    branches[anyOf] = stays ? choice.live->id : choice.best->id;
  }
  return branches;
}

std::vector<Branches> otherChoices(const IkProblem& problem, const Kinematics& kinematics, const Branches& live) {
  struct Choice {
    Branches branches;
    double potential = 0.0;  ///< sum over the newly chosen goals
  };
  std::vector<Choice> choices = {{live}};
  for (const auto& [anyOf, id] : live) {
    if (!findGoal(problem, id)) continue;
    const std::size_t before = choices.size();
    for (const GoalItem& goal : problem.goals) {
      if (!goal.enabled || goal.anyOf != anyOf || goal.id == id) continue;
      for (std::size_t i = 0; i < before && choices.size() < kMostChoices * kMostChoices; ++i) {
        Choice other = choices[i];
        other.branches[anyOf] = goal.id;
        other.potential += potentialOf(problem, kinematics, goal);
        choices.push_back(std::move(other));
      }
    }
  }
  choices.erase(choices.begin());  // the live one
  std::ranges::stable_sort(choices, {}, &Choice::potential);
  std::vector<Branches> result;
  for (std::size_t i = 0; i < choices.size() && i < kMostChoices; ++i) result.push_back(std::move(choices[i].branches));
  return result;
}

bool isLive(const Branches& branches, const GoalItem& goal) {
  const auto live = branches.find(goal.anyOf);
  return goal.anyOf < 0 || live == branches.end() || live->second == goal.id;
}

}  // namespace limber
