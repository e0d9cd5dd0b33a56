// SPDX-License-Identifier: MIT
#include "limber/solvers/steps/scaling.h"

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
  for (std::size_t k = 0; k < changes.size(); ++k) curvature += evaluation.weights[k] * changes[k].squaredNorm();
  Matrix6d inertia;
  for (std::size_t i = 0; i < objective.stay().bodies().size(); ++i) {
    const StayTerm::Body& body = objective.stay().bodies()[i];
    const Vector6d& motion = evaluation.motions[static_cast<std::size_t>(body.link)];
    StayTerm::computeInertia(body, evaluation.stays[i], Curvature::GaussNewton, inertia);
    curvature += motion.dot(inertia * motion);
  }
  for (int k = 0; k < objective.activeCount(); ++k)
    curvature += objective.regulariserWeight(objective.active()[static_cast<std::size_t>(k)]) * step[k] * step[k];
  return curvature;
}

}  // namespace limber
