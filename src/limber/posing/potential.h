// SPDX-License-Identifier: MIT
// Potentials of goals: how far a goal is from being met, by the objective and by the paper.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "limber/kinematics/forward_kinematics.h"
#include "limber/problem/ik_problem.h"

namespace limber {

/// 1/2 |r|^2 of a well-formed goal at problem.pose, unweighted, lengths in mean link lengths. Half of the potential of
/// Zhao and Badler.
double potentialOf(const IkProblem& problem, const Kinematics& kinematics, const GoalItem& goal);

/// P of Zhao and Badler 1994, (6) to (21), by their formulas, unweighted, lengths in mean link lengths. Empty for goals
/// that the paper does not have, and for an aim at the eye itself.
std::optional<double> paperPotential(const IkProblem& problem, const Kinematics& kinematics, const GoalItem& goal);

/// The potentials of one enabled goal, for `check`.
struct GoalPotential {
  std::string goal;      ///< goal "left_hand"
  std::string type;      ///< "position_orientation"
  std::string equation;  ///< "(12)"; empty beyond the paper
  double ours = 0.0;
  std::optional<double> paper;
  double weight = 0.0;  ///< its own times the target weight: weight * ours is its share of f
};

/// Those of every enabled goal that is well-formed.
std::vector<GoalPotential> goalPotentials(const IkProblem& problem);

}  // namespace limber
