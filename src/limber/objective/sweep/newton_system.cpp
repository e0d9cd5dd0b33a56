// SPDX-License-Identifier: MIT
#include "limber/objective/sweep/newton_system.h"

#include <algorithm>
#include <cmath>

namespace limber {

void NewtonSystem::assemble(const Objective& objective, const Evaluation& evaluation,
                            const std::vector<Residual>& multipliers, Curvature ofPulls) {
  objective_ = &objective;
  evaluation_ = &evaluation;
  takeMetric();
  sweep_.assemble(objective, evaluation, multipliers, ofPulls);
}

void NewtonSystem::takeMetric() {
  lengthUnit_ = 1.0;
  for (std::size_t k = 0; k < objective_->goals().size(); ++k)
    if (const double weight = evaluation_->weights[k]; weight > 0.0)
      lengthUnit_ = std::max(lengthUnit_, evaluation_->forces[k].norm() / weight);
  metric_.resize(objective_->activeCount());
  for (int k = 0; k < objective_->activeCount(); ++k) metric_[k] = entryOf(objective_->active()[k]);
  const auto terms = objective_->feasibleSet().couplings().terms();
  for (std::size_t i = 0; i < terms.size(); ++i)
    if (const int k = objective_->activeIndex(terms[i].driver); k >= 0)
      metric_[k] += evaluation_->slopes[i] * evaluation_->slopes[i] * entryOf(terms[i].follower);
}

/// The coordinate's own entry of M.
double NewtonSystem::entryOf(int coordinate) const {
  const double entry = objective_->metric()[coordinate];
  return objective_->isLength(coordinate) ? entry / (lengthUnit_ * lengthUnit_) : entry;
}

double NewtonSystem::stepNorm(const Eigen::VectorXd& activeStep) const {
  double norm = 0.0;
  for (int k = 0; k < objective_->activeCount(); ++k)
    norm = std::max(norm, std::abs(activeStep[k]) * std::sqrt(entryOf(objective_->active()[k])));
  return norm;
}

bool NewtonSystem::factor(double lambda, const FreeSpace& space) {
  space.evenOut(metric_);
  return sweep_.factor(lambda, space, metric_);
}

}  // namespace limber
