// SPDX-License-Identifier: MIT
#include "limber/objective/sweep/newton_system.h"

#include <algorithm>
#include <cmath>

namespace limber {

namespace {

constexpr double kPivotFloor = 1e-15;  // a pivot below this part of its diagonal entry is rounding

}  // namespace

void NewtonSystem::assemble(const Objective& objective, Evaluation& evaluation,
                            const std::vector<Residual>& multipliers, Curvature ofPulls) {
  objective_ = &objective;
  evaluation_ = &evaluation;
  isTree_ = true;
  takeMetric();
  sweep_.assemble(objective, evaluation, multipliers, ofPulls);
}

void NewtonSystem::assembleDense(const Objective& objective, Evaluation& evaluation,
                                 const std::vector<Residual>& multipliers, Curvature ofPulls) {
  objective_ = &objective;
  evaluation_ = &evaluation;
  isTree_ = false;
  takeMetric();
  objective.computeHessian(evaluation, multipliers, hessian_, ofPulls);
}

void NewtonSystem::takeMetric() {
  lengthUnit_ = 1.0;
  for (std::size_t k = 0; k < objective_->goals().size(); ++k)
    if (const double weight = evaluation_->weights[k]; weight > 0.0)
      lengthUnit_ = std::max(lengthUnit_, evaluation_->forces[k].norm() / weight);
  metric_.resize(objective_->activeCount());
  for (int k = 0; k < objective_->activeCount(); ++k)
    metric_[k] = entryOf(objective_->active()[static_cast<std::size_t>(k)]);
  const auto terms = objective_->feasibleSet().couplings().terms();
  for (std::size_t i = 0; i < terms.size(); ++i)
    if (const int k = objective_->activeIndex(terms[i].driver); k >= 0)
      metric_[k] += evaluation_->slopes[i] * evaluation_->slopes[i] * entryOf(terms[i].follower);
}

/// Of the coordinate itself.
double NewtonSystem::entryOf(int coordinate) const {
  const double entry = objective_->metric()[coordinate];
  return objective_->isLength(coordinate) ? entry / (lengthUnit_ * lengthUnit_) : entry;
}

double NewtonSystem::stepNorm(const Eigen::VectorXd& activeStep) const {
  double norm = 0.0;
  for (int k = 0; k < objective_->activeCount(); ++k)
    norm = std::max(norm, std::abs(activeStep[k]) *
                              std::sqrt(entryOf(objective_->active()[static_cast<std::size_t>(k)])));
  return norm;
}

bool NewtonSystem::factor(double lambda, const FreeSpace& space) {
  space_ = &space;
  evenOut(space);
  if (isTree_) return sweep_.factor(lambda, space, metric_);
  factors_ = hessian_;
  factors_.diagonal() += lambda * metric_;
  for (std::size_t k = 0; k < space.free.size(); ++k) {
    if (space.free[k]) continue;
    const auto i = static_cast<Eigen::Index>(k);
    factors_.row(i).setZero();
    factors_.col(i).setZero();
    factors_(i, i) = 1.0;
  }
  for (const FreeSpace::Block& block : space.blocks)
    if (block.held > 0) restrictTo(block);
  for (Eigen::Index j = 0; j < factors_.cols(); ++j)
    if (!factorColumn(j)) return false;
  return true;
}

/// Tied scalars share one entry of M: so damped, a step turns toward the projected gradient, which stays inside.
void NewtonSystem::evenOut(const FreeSpace& space) {
  for (const FreeSpace::Block& block : space.blocks) {
    if (block.ball >= 0) continue;
    double most = 0.0;
    for (const int k : block.active) most = std::max(most, metric_[k]);
    for (const int k : block.active) metric_[k] = most;
  }
}

/// Rows and columns of a block: P (B + C) P, and across P a positive number that the solution never sees.
void NewtonSystem::restrictTo(const FreeSpace::Block& block) {
  const auto size = static_cast<Eigen::Index>(block.active.size());
  const auto at = [&](Eigen::Index i) { return static_cast<Eigen::Index>(block.active[static_cast<std::size_t>(i)]); };
  if (blockRows_.rows() != factors_.rows() || blockRows_.cols() < size) blockRows_.resize(factors_.rows(), size);
  double across = 0.0;  // of the block's own size, for the sake of rounding
  for (Eigen::Index a = 0; a < size; ++a) {
    across += std::abs(factors_(at(a), at(a)));
    for (Eigen::Index b = 0; b < size; ++b) factors_(at(a), at(b)) += block.curvature(a, b);
  }
  if (!(across > 0.0)) across = 1.0;
  for (Eigen::Index a = 0; a < size; ++a) blockRows_.col(a) = factors_.col(at(a));
  for (Eigen::Index a = 0; a < size; ++a) {
    factors_.col(at(a)) = block.projector(0, a) * blockRows_.col(0);
    for (Eigen::Index b = 1; b < size; ++b) factors_.col(at(a)) += block.projector(b, a) * blockRows_.col(b);
  }
  for (Eigen::Index a = 0; a < size; ++a) blockRows_.col(a) = factors_.row(at(a)).transpose();
  for (Eigen::Index a = 0; a < size; ++a) {
    factors_.row(at(a)) = block.projector(a, 0) * blockRows_.col(0).transpose();
    for (Eigen::Index b = 1; b < size; ++b)
      factors_.row(at(a)) += block.projector(a, b) * blockRows_.col(b).transpose();
  }
  for (Eigen::Index a = 0; a < size; ++a)
    for (Eigen::Index b = 0; b < size; ++b)
      factors_(at(a), at(b)) += across * ((a == b ? 1.0 : 0.0) - block.projector(a, b));
}

/// Cholesky, column by column.
bool NewtonSystem::factorColumn(Eigen::Index j) {
  const Eigen::Index below = factors_.rows() - j;
  const double diagonal = factors_(j, j);
  auto column = factors_.col(j).tail(below);
  if (j > 0) column.noalias() -= factors_.block(j, 0, below, j) * factors_.row(j).head(j).transpose();
  double pivot = column[0];
  if (diagonal == 0.0 && column.isZero(0.0)) pivot = 1.0;  // nothing depends on it: it stays where it is
  if (!(pivot > kPivotFloor * std::abs(diagonal))) {
    badColumn_ = j;
    badPivot_ = pivot;
    return false;
  }
  column[0] = std::sqrt(pivot);
  column.tail(below - 1) /= column[0];
  return true;
}

void NewtonSystem::solveDense(Eigen::VectorXd& direction) {
  space_->project(direction);
  factors_.triangularView<Eigen::Lower>().solveInPlace(direction);
  factors_.triangularView<Eigen::Lower>().transpose().solveInPlace(direction);
  space_->project(direction);
}

void NewtonSystem::solve(const Eigen::VectorXd& gradient, Eigen::VectorXd& direction) {
  if (isTree_) return sweep_.solve(direction);
  direction = -gradient;
  solveDense(direction);
}

void NewtonSystem::solveForResiduals(const std::vector<Residual>& residuals, Eigen::VectorXd& direction) {
  if (isTree_) return sweep_.solveForResiduals(residuals, direction);
  forces_.resize(residuals.size());
  for (std::size_t k = 0; k < residuals.size(); ++k) forces_[k] = -evaluation_->weights[k] * residuals[k];
  objective_->applyTransposedJacobian(*evaluation_, forces_, direction);
  solveDense(direction);
}

void NewtonSystem::linearResiduals(const Eigen::VectorXd& direction, std::vector<Residual>& residuals) {
  if (isTree_) return sweep_.linearResiduals(residuals);
  objective_->applyJacobian(*evaluation_, direction, residuals);
  for (std::size_t k = 0; k < residuals.size(); ++k) residuals[k] += evaluation_->residuals[k];
}

/// With the leading block A = L L', the next column a and its pivot d = a_jj - |L^-1 a|^2:  v = (-A^-1 a, 1), v'Hv = d.
double NewtonSystem::curvatureDirection(Eigen::VectorXd& direction) {
  if (isTree_) return sweep_.curvatureDirection(direction);
  const Eigen::Index j = badColumn_;
  direction.setZero(factors_.rows());
  direction.head(j) = -factors_.row(j).head(j).transpose();
  if (j > 0) factors_.topLeftCorner(j, j).triangularView<Eigen::Lower>().transpose().solveInPlace(direction.head(j));
  direction[j] = 1.0;
  space_->project(direction);
  return std::min(badPivot_, 0.0);
}

}  // namespace limber
