// SPDX-License-Identifier: MIT
// The goals of an objective as the geometric solvers see them: points of links that should be at points of the world.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <vector>

#include "limber/objective/objective.h"
#include "limber/solvers/convex/rigid_fit.h"

namespace limber {

struct PointGoal {
  int link = 0;
  Eigen::Vector3d pointInLink = Eigen::Vector3d::Zero();
  Eigen::Vector3d target = Eigen::Vector3d::Zero();  ///< world; a residual's shift moves it
  double weight = 0.0;                               ///< of f = 1/2 weight |point - target|^2, in metres; > 0
  int turned = -1;  ///< body of the stay term that keeps its rotation alone: point and target are then directions,
                    ///< which translations leave, and the weight is that of a small turn; else -1
  /// Of weight |point - target|, where f is linear beyond (Objective::setForceLimit).
  double forceLimit = std::numeric_limits<double>::infinity();
};

/// Those of an objective's goals that weigh anything; out is reused. All goals must be position goals (asserted).
void collectPointGoals(const Objective& objective, std::vector<PointGoal>& goals);

/// Adds the bodies of the stay term as points: four of a body's weight, each with a quarter of it, have its mass,
/// centre and second moments. Of a body that keeps its rotation alone they are directions.
void addStayPoints(const StayTerm& stay, std::vector<PointGoal>& goals);

/// The position goals of any objective, and the position halves of those that ask for an orientation, too; what weighs
/// nothing is no goal. out is reused. ignored[k] != 0 leaves goal k out; an empty list ignores none. Returns how many
/// goals that weigh anything are not seen, or in part only.
int collectSeenPoints(const Objective& objective, std::vector<PointGoal>& goals, std::span<const char> ignored = {});

/// The mean squared distance by forward kinematics, weighted, square metres; NaN without a point.
double meanSquareOf(const Figure& figure, const Pose& pose, std::span<const PointGoal> points);

/// Moves each free root that may move as a whole so that its goals' points come nearest to their targets together
/// (solvers/convex/rigid_fit.h). kinematics, pairs: scratch.
void layRootsOnto(const Objective& objective, std::span<const PointGoal> goals, Kinematics& kinematics,
                  std::vector<PointPair>& pairs, Pose& pose);

/// Empty, or a sentence that says which goal or joint keeps a geometric solver from an objective: "<title> meets
/// position goals; the goal on palm is of another kind". It takes position goals, scalars that nothing ties, and of the
/// joints that may move those that `moves` admits, "<title> <what it moves>; joint pelvis is free".
std::string refuseForGeometry(const Objective& objective, std::string_view title, std::string_view whatItMoves,
                              bool (*moves)(const Figure&, const Joint&));

}  // namespace limber
