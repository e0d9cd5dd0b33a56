// SPDX-License-Identifier: MIT
#include "limber/solvers/steps/free_step.h"

#include <algorithm>
#include <cmath>

namespace limber {

void computeStepMetric(const Objective& objective, const Evaluation& evaluation, const FreeSpace& space,
                       Eigen::VectorXd& metric) {
  metric.resize(objective.activeCount());
  for (int k = 0; k < objective.activeCount(); ++k)
    metric[k] = objective.metric()[objective.active()[static_cast<std::size_t>(k)]];
  const auto terms = objective.feasibleSet().couplings().terms();
  for (std::size_t i = 0; i < terms.size(); ++i)
    if (const int k = objective.activeIndex(terms[i].driver); k >= 0)
      metric[k] += evaluation.slopes[i] * evaluation.slopes[i] * objective.metric()[terms[i].follower];
  for (const FreeSpace::Block& block : space.blocks) {
    if (block.ball >= 0) continue;
    double most = 0.0;
    for (const int k : block.active) most = std::max(most, metric[k]);
    for (const int k : block.active) metric[k] = most;
  }
}

void findTakenStep(const Objective& objective, const FreeSpace& space, const Pose& from, const Pose& to,
                   Eigen::VectorXd& fullStep, Eigen::VectorXd& taken) {
  difference(objective.figure(), from, to, fullStep);
  taken.resize(objective.activeCount());
  for (int k = 0; k < objective.activeCount(); ++k)
    taken[k] = fullStep[objective.active()[static_cast<std::size_t>(k)]];
  space.project(taken);
}

bool takeBlocked(const Objective& objective, const Pose& pose, const Eigen::VectorXd& step, double share,
                 std::vector<char>& free) {
  bool found = false;
  for (int k = 0; k < objective.activeCount(); ++k) {
    char& isFree = free[static_cast<std::size_t>(k)];
    if (!isFree || step[k] == 0.0) continue;
    const double room = objective.feasibleSet().room(pose, objective.active()[static_cast<std::size_t>(k)], step[k]);
    if (room > share * std::abs(step[k])) continue;
    isFree = 0;
    found = true;
  }
  return found;
}

void applyWithin(HessianProduct& product, const FreeSpace& space, const Eigen::VectorXd& v, Eigen::VectorXd& out) {
  product.apply(v, out);
  for (const FreeSpace::Block& block : space.blocks) {
    if (block.held == 0 || block.ball < 0) continue;
    const auto first = static_cast<Eigen::Index>(block.active[0]);
    out.segment<3>(first) += Eigen::Matrix3d(block.curvature) * v.segment<3>(first);
  }
  space.project(out);
}

void applyInverseMetric(const FreeSpace& space, const Eigen::VectorXd& metric, const Eigen::VectorXd& v,
                        Eigen::VectorXd& z) {
  z = v.cwiseQuotient(metric);
  space.project(z);
}

void describeHeld(const FreeSpace& space, std::vector<char>& held) {
  held.assign(space.free.begin(), space.free.end());
  for (const FreeSpace::Block& block : space.blocks) {
    held.push_back(static_cast<char>(block.held));
    held.push_back(block.holdsSwing ? 1 : 0);
    held.push_back(static_cast<char>(block.twistSide + 1));
    held.insert(held.end(), block.holds.begin(), block.holds.end());
  }
}

}  // namespace limber
