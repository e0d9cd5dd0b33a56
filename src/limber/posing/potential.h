// SPDX-License-Identifier: MIT
// How far a goal is from being met, in the numbers of the objective and of the paper.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "limber/kinematics/forward_kinematics.h"
#include "limber/problem/ik_problem.h"

namespace limber {

/// 1/2 |r|^2 of a sound goal at problem.pose, unweighted, lengths in mean link lengths. Half of what Zhao and Badler
/// have.
double potentialOf(const IkProblem& problem, const Kinematics& kinematics, const GoalItem& goal);

/// P of Zhao and Badler 1994, (6) to (21), by their formulas, unweighted, lengths in mean link lengths; nothing for the
/// goals that they do not have, and for an aim at the eye itself.
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

/// Of every enabled goal that is sound.
std::vector<GoalPotential> goalPotentials(const IkProblem& problem);

}  // namespace limber
