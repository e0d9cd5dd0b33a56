// SPDX-License-Identifier: MIT
#include "limber/posing/active_limits.h"

#include <algorithm>
#include <cmath>

namespace limber {

void findActiveLimits(const Objective& objective, const Pose& pose, const Eigen::VectorXd& gradient, FreeSpace& space,
                      std::vector<ActiveLimit>& limits) {
  objective.feasibleSet().findFreeSpace(pose, gradient, space);
  limits = space.limits;
  const auto isLarger = [](const ActiveLimit& a, const ActiveLimit& b) {
    return std::abs(a.multiplier) > std::abs(b.multiplier);
  };
  for (auto limit = limits.begin(); limit != limits.end(); ++limit)  // std::stable_sort would allocate
    std::rotate(std::upper_bound(limits.begin(), limit, *limit, isLarger), limit, limit + 1);
}

void findLimitedJoints(const Figure& figure, const std::vector<ActiveLimit>& limits, std::vector<int>& joints) {
  joints.clear();
  const auto add = [&](int joint) {
    if (std::find(joints.begin(), joints.end(), joint) == joints.end()) joints.push_back(joint);
  };
  for (const ActiveLimit& limit : limits) {
    const bool isLinear = limit.kind == LimitKind::LinearLower || limit.kind == LimitKind::LinearUpper ||
                          limit.kind == LimitKind::Equality;
    if (!isLinear) add(limit.index);
    else
      for (const LinearLimit::Term& term : figure.linearLimits()[limit.index].terms) add(term.joint);
  }
}

double freeGradientNorm(const Objective& objective, const Pose& pose, const Eigen::VectorXd& gradient, FreeSpace& space,
                        Eigen::VectorXd& projected) {
  objective.feasibleSet().findFreeSpace(pose, gradient, space);
  projected = gradient;
  space.project(projected);
  return projected.size() > 0 ? projected.cwiseAbs().maxCoeff() : 0.0;
}

bool stepOffLimits(const Objective& objective, const Pose& pose, const Eigen::VectorXd& gradient, double turn,
                   Eigen::VectorXd& step) {
  FreeSpace space;
  objective.feasibleSet().findFreeSpace(pose, gradient, space);
  Eigen::VectorXd held = gradient;
  space.project(held);
  held = gradient - held;  // the part that presses against limits; f grows along it
  step.setZero(objective.activeCount());
  const auto metric = [&](int k) { return objective.metric()[objective.active()[k]]; };
  for (int k = 0; k < objective.activeCount(); ++k)
    if (!space.free[k] && held[k] != 0.0) step[k] = std::copysign(turn / std::sqrt(metric(k)), held[k]);
  for (const FreeSpace::Block& block : space.blocks) {
    double size = 0.0;
    for (const int k : block.active) size += held[k] * held[k] / metric(k);
    if (block.held == 0 || !(size > 0.0)) continue;
    for (const int k : block.active) step[k] = turn * held[k] / (metric(k) * std::sqrt(size));
  }
  return !step.isZero(0.0);
}

}  // namespace limber
