// SPDX-License-Identifier: MIT
#include "limber/solvers/steps/inequality_rows.h"

namespace limber {

void InequalityRows::take(const Objective& objective, const Evaluation& evaluation, const Eigen::VectorXd& gradient) {
  isChanged_ = false;
  rise_ = 0.0;
  std::size_t count = 0;
  for (std::size_t k = 0; k < objective.goals().size(); ++k) {
    const Goal& goal = *objective.goals()[k];
    if (!goal.isOneSided()) continue;
    if (count == inequalities_.size()) inequalities_.emplace_back();
    Inequality& row = inequalities_[count++];
    row.goal = static_cast<int>(k);
    goal.computeResidual(evaluation.kinematics, row.own);
    row.own += objective.residualShift(row.goal);
    row.jacobians.resize(goal.linkCount());
    for (int which = 0; which < goal.linkCount(); ++which)
      goal.computeJacobian(evaluation.kinematics, which, row.jacobians[which]);
    row.held = 0;
    for (Eigen::Index i = 0; i < row.own.size(); ++i)
      if (row.own[i] < 0.0) row.held |= 1u << i;
    row.counted = row.held;
  }
  inequalities_.resize(count);
  if (count > 0) true_ = gradient;
}

bool InequalityRows::foresee(const Objective& objective, Evaluation& evaluation, const Eigen::VectorXd& step,
                             std::vector<Residual>& multipliers) {
  if (inequalities_.empty()) return false;
  objective.applyJacobian(evaluation, step, changes_);  // computes the motions of the links
  bool isOther = false;
  for (Inequality& row : inequalities_) {
    const Goal& goal = *objective.goals()[row.goal];
    Residual after = row.own;
    for (int which = 0; which < goal.linkCount(); ++which)
      after.noalias() += row.jacobians[which] * evaluation.motions[goal.link(which)];
    unsigned counted = 0;
    for (Eigen::Index i = 0; i < after.size(); ++i)
      if (after[i] < 0.0) counted |= 1u << i;
      else multipliers[row.goal][i] = 0.0;
    isOther = isOther || counted != row.counted;
    row.counted = counted;
  }
  if (isOther) impose(objective, evaluation);
  return isOther;
}

void InequalityRows::impose(const Objective& objective, Evaluation& evaluation) {
  isChanged_ = true;
  rise_ = 0.0;
  forces_.resize(objective.goals().size());
  for (std::size_t k = 0; k < forces_.size(); ++k) forces_[k].setZero(objective.goals()[k]->residualSize());
  for (const Inequality& row : inequalities_) {
    const int goal = row.goal;
    const double weight = objective.goals()[goal]->weight();
    evaluation.jacobians[goal] = row.jacobians;
    for (Eigen::Index i = 0; i < row.own.size(); ++i) {
      const double sign = static_cast<double>((row.counted >> i) & 1u) - static_cast<double>((row.held >> i) & 1u);
      forces_[goal][i] = sign * weight * row.own[i];
      rise_ += 0.5 * sign * weight * row.own[i] * row.own[i];
    }
  }
  objective.applyTransposedJacobian(evaluation, forces_, model_);
  model_ += true_;
  for (const Inequality& row : inequalities_) {
    const int goal = row.goal;
    for (Eigen::Index i = 0; i < row.own.size(); ++i) {
      const bool counts = ((row.counted >> i) & 1u) != 0;
      evaluation.residuals[goal][i] = counts ? row.own[i] : 0.0;
      if (counts) continue;
      for (TwistJacobian& jacobian : evaluation.jacobians[goal]) jacobian.row(i).setZero();
    }
  }
}

void InequalityRows::restore(const Objective& objective, Evaluation& evaluation, Eigen::VectorXd& gradient) {
  if (!isChanged_) return;
  for (Inequality& row : inequalities_) row.counted = row.held;
  impose(objective, evaluation);
  gradient = true_;
  isChanged_ = false;
}

}  // namespace limber
