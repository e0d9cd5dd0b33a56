// SPDX-License-Identifier: MIT
// The one table of goal types: what each is called, and how a goal of the problem becomes one of the objective.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "limber/goals/goal.h"
#include "limber/problem/ik_problem.h"

namespace limber {

struct GoalConstruction {
  GoalType type;
  std::string_view name;      ///< as in files: "position_orientation"
  std::string_view equation;  ///< of its potential in Zhao and Badler 1994; empty for what the paper does not have
  /// weight is the effective one: the goal's own times the target weight. Null for the one that is no Goal but a
  /// regulariser: keep-pose.
  std::unique_ptr<Goal> (*make)(const GoalItem& item, const Figure& figure, double weight);
};

/// In the order of GoalType.
std::span<const GoalConstruction> goalConstructions();
const GoalConstruction& constructionOf(GoalType type);

/// Of a sound item (findFault); null for keep-pose.
std::unique_ptr<Goal> makeGoal(const GoalItem& item, const Figure& figure, double weight);

/// Empty, or what is wrong with the goal, in words that name it: `goal "left_hand": ...`.
std::string findFault(const GoalItem& item, const Figure& figure);

/// goal "left_hand", or goal 3 for one without a name.
std::string goalInWords(const GoalItem& item);

/// Links that the goal looks at; empty for one that looks at all of them.
std::vector<int> linksOf(const GoalItem& item);

}  // namespace limber
