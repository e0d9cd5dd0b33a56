// SPDX-License-Identifier: MIT
#include "limber/posing/active_limits.h"

#include <algorithm>
#include <cmath>

namespace limber {

namespace {

FreeSpace freeSpaceOf(const Objective& objective, const Pose& pose, const Eigen::VectorXd& gradient) {
  FreeSpace space;
  objective.feasibleSet().findFreeSpace(pose, gradient, space);
  return space;
}

}  // namespace

void findActiveLimits(const Objective& objective, const Pose& pose, const Eigen::VectorXd& gradient,
                      std::vector<ActiveLimit>& limits) {
  limits = freeSpaceOf(objective, pose, gradient).limits;
  std::stable_sort(limits.begin(), limits.end(), [](const ActiveLimit& a, const ActiveLimit& b) {
    return std::abs(a.multiplier) > std::abs(b.multiplier);
  });
}

std::vector<int> limitedJoints(const Figure& figure, const std::vector<ActiveLimit>& limits) {
  std::vector<int> joints;
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
  return joints;
}

double freeGradientNorm(const Objective& objective, const Pose& pose, const Eigen::VectorXd& gradient) {
  Eigen::VectorXd free = gradient;
  freeSpaceOf(objective, pose, gradient).project(free);
  return free.size() > 0 ? free.cwiseAbs().maxCoeff() : 0.0;
}

bool stepOffLimits(const Objective& objective, const Pose& pose, const Eigen::VectorXd& gradient, double turn,
                   Eigen::VectorXd& step) {
  const FreeSpace space = freeSpaceOf(objective, pose, gradient);
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
