// SPDX-License-Identifier: MIT
#include "limber/posing/local_minimum.h"

#include <cmath>

namespace limber {

namespace {

constexpr double kRoundings = 100.0;
constexpr double kFlat = 1e-9;  // of the sum of the goals' weights: a smaller curvature counts as zero

}  // namespace

bool LocalMinimum::isAt(const Objective& objective, const Pose& pose, double part) {
  const double f = objective_ = objective.evaluate(pose, evaluation_);
  if (!std::isfinite(f)) return false;
  objective.computeGradient(evaluation_, gradient_);
  if (objective.activeCount() == 0) return true;
  objective.feasibleSet().findFreeSpace(pose, gradient_, space_);
  exactMultipliers(objective, evaluation_, multipliers_);
  system_.assemble(objective, evaluation_, multipliers_);
  double weight = 0.0;
  for (const auto& goal : objective.goals()) weight += goal->weight();
  if (!system_.factor(kFlat * weight, space_)) return false;
  system_.solve(direction_);
  const double promise = -0.5 * gradient_.dot(direction_);
  return std::abs(promise) <= part * f + kRoundings * evaluation_.rounding;
}

}  // namespace limber
