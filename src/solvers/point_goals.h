// SPDX-License-Identifier: MIT
// The goals of an objective as the geometric methods see them: points of links that should be at points of the world.
#pragma once

#include <string>
#include <vector>

#include "objective/objective.h"

namespace limber {

struct PointGoal {
  int link = 0;
  Eigen::Vector3d pointInLink = Eigen::Vector3d::Zero();
  Eigen::Vector3d target = Eigen::Vector3d::Zero();  ///< world; a residual's shift moves it
  double weight = 0.0;                               ///< of f = 1/2 weight |point - target|^2, in metres; > 0
};

/// Those of an objective's goals that weigh anything; out is reused. All goals must be position goals (asserted).
void collectPointGoals(const Objective& objective, std::vector<PointGoal>& goals);

/// Empty, or a sentence that says which goal or joint keeps a geometric method from an objective: "<title> meets
/// position goals; the goal on palm is of another kind". It takes position goals, scalars that nothing ties, and of the
/// joints that may move those that `moves` admits, "<title> <what it moves>; joint pelvis is free".
std::string refuseForGeometry(const Objective& objective, std::string_view title, std::string_view whatItMoves,
                              bool (*moves)(const Figure&, const Joint&));

}  // namespace limber
