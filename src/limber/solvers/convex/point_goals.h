// SPDX-License-Identifier: MIT
// The goals of an objective for geometric solvers: points of links with target points in the world.
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
  Eigen::Vector3d target = Eigen::Vector3d::Zero();  ///< world; includes the shift of the residual
  double weight = 0.0;                               ///< of f = 1/2 weight |point - target|^2, in metres; > 0
  int turned = -1;  ///< body of a stay term that only keeps its rotation, else -1. Point and target are then
                    ///< directions, which translations do not change, and the weight is that of a small rotation
  /// Limit of weight |point - target|, beyond which f is linear (Objective::setForceLimit).
  double forceLimit = std::numeric_limits<double>::infinity();
};

/// The goals of an objective that have a weight; out is reused. All goals must be position goals (asserted).
void collectPointGoals(const Objective& objective, std::vector<PointGoal>& goals);

/// Adds the bodies of the stay term as points: four points per body, each with a quarter of its weight, have its mass,
/// centre and second moments. For a body that only keeps its rotation they are directions.
void addStayPoints(const StayTerm& stay, std::vector<PointGoal>& goals);

/// The position goals of any objective that have a weight, and the position parts of goals that also have an
/// orientation. out is reused. ignored[k] != 0 leaves goal k out; an empty list ignores none. Returns the number of
/// goals with a weight that are left out, completely or in part.
int collectSeenPoints(const Objective& objective, std::vector<PointGoal>& goals, std::span<const char> ignored = {});

/// The mean squared distance by forward kinematics, weighted, square metres; NaN without a point.
double meanSquareOf(const Figure& figure, const Pose& pose, std::span<const PointGoal> points);

/// Moves each active free root so that the points of its goals are nearest to their targets
/// (solvers/convex/rigid_fit.h). kinematics, pairs: scratch.
void layRootsOnto(const Objective& objective, std::span<const PointGoal> goals, Kinematics& kinematics,
                  std::vector<PointPair>& pairs, Pose& pose);

/// Empty, or a sentence that names the goal or joint that a geometric solver does not support: "<title> meets position
/// goals; the goal on palm is of another kind". Supported are position goals, scalars without couplings or linear
/// limits, and the active joints that `moves` accepts: "<title> <what it moves>; joint pelvis is free".
std::string refuseForGeometry(const Objective& objective, std::string_view title, std::string_view whatItMoves,
                              bool (*moves)(const Figure&, const Joint&));

}  // namespace limber
