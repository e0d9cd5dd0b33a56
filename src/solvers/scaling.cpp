// SPDX-License-Identifier: MIT
#include "solvers/scaling.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace limber {

double softestWeight(const Objective& objective) {
  const Eigen::VectorXd& weights = objective.regularisers().front().weights();
  double softest = std::numeric_limits<double>::infinity();
  for (const int c : objective.active()) softest = std::min(softest, weights[c] / objective.metric()[c]);
  return softest;
}

void computeScale(const Objective& objective, Eigen::VectorXd& scale) {
  const Eigen::VectorXd& weights = objective.regularisers().front().weights();
  const double softest = softestWeight(objective);
  scale.resize(objective.activeCount());
  for (int k = 0; k < objective.activeCount(); ++k) {
    const int c = objective.active()[static_cast<std::size_t>(k)];
    scale[k] = softest > 0.0 ? std::sqrt(softest / weights[c]) : 1.0 / std::sqrt(objective.metric()[c]);
  }
}

double curvatureAlong(const Objective& objective, Evaluation& evaluation, const Eigen::VectorXd& step,
                      std::vector<Residual>& changes) {
  objective.applyJacobian(evaluation, step, changes);
  double curvature = 0.0;
  for (std::size_t k = 0; k < changes.size(); ++k)
    curvature += objective.goals()[k]->weight() * changes[k].squaredNorm();
  for (int k = 0; k < objective.activeCount(); ++k)
    curvature += objective.regulariserWeight(objective.active()[static_cast<std::size_t>(k)]) * step[k] * step[k];
  return curvature;
}

}  // namespace limber
