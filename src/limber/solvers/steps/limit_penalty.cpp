// SPDX-License-Identifier: MIT
#include "limber/solvers/steps/limit_penalty.h"

#include <algorithm>
#include <cmath>

#include "limber/solvers/steps/bounded_step.h"

namespace limber {

void LimitPenalty::reset(const Objective& objective, double stiffness) {
  objective_ = &objective;
  set_ = &objective.feasibleSet();
  stiffness_ = stiffness;
  springs_.clear();
  entries_.clear();
}

/// One of the two equations of a ball without swing, which always occur as a pair.
bool LimitPenalty::isAcrossHinge(int limit) const {
  return set_->kind(limit) == LimitKind::Swing && set_->isEquality(limit);
}

/// 1 for angles, 1 / L^2 for lengths.
double LimitPenalty::weightOf(int limit) const {
  const LimitKind kind = set_->kind(limit);
  if (kind != LimitKind::Lower && kind != LimitKind::Upper) return 1.0;
  return objective_->metric()[objective_->figure().joint(set_->index(limit)).stepIndex];
}

LimitPenalty::Reach LimitPenalty::reachOf(const Pose& pose, int limit) const {
  constexpr double kNoTwist = 1e-6;  // cos(swing / 2): nearer to a half turn of swing, the twist is undefined
  const double slack = set_->slack(pose, limit);
  if (slack >= 0.0 && !set_->isEquality(limit)) return {};
  const LimitKind kind = set_->kind(limit);
  if (kind != LimitKind::TwistLower && kind != LimitKind::TwistUpper) return {-slack, 1.0};
  const double rate = set_->multiplierScale(pose, limit);  // slack is the rotation that corrects the twist
  if (!(rate > kNoTwist)) return {};
  return {-slack / rate, 1.0 / rate};
}

double LimitPenalty::value(const Pose& pose) const {
  double sum = 0.0;
  for (int j = 0; j < set_->constraintCount(); ++j) {
    if (isAcrossHinge(j)) {  // 2 - 2 cos(swing), the squared chord, from sin^2(swing)
      const double a = set_->slack(pose, j), b = set_->slack(pose, ++j);
      const double squared = a * a + b * b;
      sum += 2.0 * squared / (1.0 + std::sqrt(std::max(0.0, 1.0 - squared)));
      continue;
    }
    const double distance = reachOf(pose, j).distance;
    if (distance != 0.0) sum += weightOf(j) * distance * distance;
  }
  return stiffness_ * sum;
}

void LimitPenalty::addGradient(const Pose& pose, Eigen::VectorXd& gradient) {
  springs_.clear();
  entries_.clear();
  for (int j = 0; j < set_->constraintCount(); ++j) {
    const Reach reach = isAcrossHinge(j) ? Reach{-set_->slack(pose, j), 1.0} : reachOf(pose, j);
    if (reach.distance == 0.0 && !set_->isEquality(j)) continue;
    set_->normal(pose, j, normal_);
    const double stiffness = 2.0 * stiffness_ * weightOf(j) * reach.perNormal;
    gradient += stiffness * reach.distance * normal_;
    Spring spring{stiffness * reach.perNormal, entries_.size(), 0};
    for (int k = 0; k < normal_.size(); ++k)
      if (normal_[k] != 0.0) entries_.push_back({k, normal_[k]});
    spring.end = entries_.size();
    springs_.push_back(spring);
  }
}

void LimitPenalty::addCurvature(const Eigen::VectorXd& v, Eigen::VectorXd& out) const {
  for (const Spring& spring : springs_) {
    double along = 0.0;
    for (std::size_t i = spring.first; i < spring.end; ++i) along += entries_[i].value * v[entries_[i].active];
    for (std::size_t i = spring.first; i < spring.end; ++i)
      out[entries_[i].active] += spring.stiffness * along * entries_[i].value;
  }
}

double springStiffness(const Objective& objective, double lambda) { return 0.5 * lambda * largestWeight(objective); }

}  // namespace limber
