// SPDX-License-Identifier: MIT
#include "limber/objective/sweep/open_system.h"

#include <algorithm>
#include <cmath>

#include "limber/objective/sweep/sweep_kernel.h"

namespace limber {

void OpenSystem::clear() {
  unknowns_.clear();
  restrictionCount_ = 0;
}

int OpenSystem::addAuxiliary(double diagonal) {
  return addUnknown({.active = -1, .own = 0.0, .size = 1.0, .isNegative = diagonal < 0.0}, diagonal);
}

int OpenSystem::addCoordinate(int active, double diagonal, double own) {
  return addUnknown({.active = active, .own = own, .size = std::abs(diagonal), .isNegative = false}, diagonal);
}

int OpenSystem::addUnknown(const Unknown& unknown, double diagonal) {
  const Eigen::Index before = count(), size = before + 1;
  if (matrix_.rows() < size) {
    const Eigen::Index room = 2 * size + 6;
    matrix_.conservativeResize(room, room);
    factors_.resize(room, room);
    right_.conservativeResize(room);
    for (Eigen::VectorXd* v : {&pivots_, &solution_, &ordered_, &scratch_}) v->resize(room);
  }
  unknowns_.push_back(unknown);
  matrix_.row(before).head(size).setZero();
  matrix_.col(before).head(size).setZero();
  matrix_(before, before) = diagonal;
  right_[before] = 0.0;
  return count() - 1;
}

void OpenSystem::add(int i, int j, double value) {
  matrix_(i, j) += value;
  if (i != j) matrix_(j, i) += value;
}

void OpenSystem::addDiagonal(int i, double value) {
  matrix_(i, i) += value;
  unknowns_[i].size += std::abs(value);
}

void OpenSystem::restrictTo(const FreeSpace::Block& block, const std::vector<int>& unknownOf) {
  if (restrictions_.size() <= restrictionCount_) restrictions_.emplace_back();
  Restriction& restriction = restrictions_[restrictionCount_++];
  restriction.block = &block;
  restriction.unknowns.clear();
  for (const int k : block.active) restriction.unknowns.push_back(unknownOf[k]);
  const std::vector<int>& at = restriction.unknowns;
  const auto size = static_cast<Eigen::Index>(at.size());
  if (blockRows_.rows() < matrix_.rows() || blockRows_.cols() < size) blockRows_.resize(matrix_.rows(), size);
  auto matrix = matrix_.topLeftCorner(count(), count());
  double across = 0.0;
  for (Eigen::Index a = 0; a < size; ++a) {
    across += std::abs(matrix(at[a], at[a]));
    for (Eigen::Index b = 0; b < size; ++b) matrix(at[a], at[b]) += block.curvature(a, b);
  }
  if (!(across > 0.0)) across = 1.0;
  auto rows = blockRows_.topLeftCorner(count(), size);
  for (Eigen::Index a = 0; a < size; ++a) rows.col(a) = matrix.col(at[a]);
  for (Eigen::Index a = 0; a < size; ++a) {
    matrix.col(at[a]).setZero();
    for (Eigen::Index b = 0; b < size; ++b) matrix.col(at[a]) += block.projector(b, a) * rows.col(b);
  }
  for (Eigen::Index a = 0; a < size; ++a) rows.col(a) = matrix.row(at[a]).transpose();
  for (Eigen::Index a = 0; a < size; ++a) {
    matrix.row(at[a]).setZero();
    for (Eigen::Index b = 0; b < size; ++b) matrix.row(at[a]) += block.projector(a, b) * rows.col(b).transpose();
  }
  for (Eigen::Index a = 0; a < size; ++a)
    for (Eigen::Index b = 0; b < size; ++b)
      matrix(at[a], at[b]) += across * ((a == b ? 1.0 : 0.0) - block.projector(a, b));
}

/// Order: auxiliaries with diagonal -1, those with +1, coordinates.
void OpenSystem::takeOrder() {
  const auto rank = [&](const Unknown& unknown) { return unknown.isNegative ? 0 : unknown.active < 0 ? 1 : 2; };
  order_.clear();
  for (int wanted = 0; wanted < 3; ++wanted)
    for (int i = 0; i < count(); ++i)
      if (rank(unknowns_[i]) == wanted) order_.push_back(i);
}

bool OpenSystem::factor() {
  takeOrder();
  const Eigen::Index size = count();
  for (Eigen::Index j = 0; j < size; ++j)
    for (Eigen::Index i = j; i < size; ++i) factors_(i, j) = matrix_(order_[i], order_[j]);
  for (Eigen::Index j = 0; j < size; ++j)
    if (!factorColumn(j)) return false;
  return true;
}

bool OpenSystem::factorColumn(Eigen::Index j) {
  constexpr double kPivotRounding = 1e-15;  // a smaller pivot, relative to the terms of its diagonal, is rounding
  const Unknown& unknown = unknowns_[order_[j]];
  const Eigen::Index below = count() - j;
  const double diagonal = factors_(j, j);
  auto column = factors_.col(j).segment(j, below);
  if (j > 0) {
    scratch_.head(j) = pivots_.head(j).cwiseProduct(factors_.row(j).head(j).transpose());
    column.noalias() -= factors_.block(j, 0, below, j) * scratch_.head(j);
  }
  double pivot = column[0];
  if (unknown.isNegative) {
    if (pivot > -1.0) pivot = -1.0;  // the exact pivot is at most -1
  } else if (diagonal == 0.0 && column.isZero(0.0)) {
    pivot = 1.0;  // f does not depend on the unknown, which does not move
  } else if (!(pivot > std::max(kSweepPivotFloor * unknown.own, kPivotRounding * unknown.size))) {
    badColumn_ = j;
    badPivot_ = pivot;
    return false;
  }
  pivots_[j] = pivot;
  column.tail(below - 1) /= pivot;
  return true;
}

/// v <- P v for restricted coordinates.
void OpenSystem::project(Eigen::VectorXd& v) {
  for (std::size_t r = 0; r < restrictionCount_; ++r) {
    const auto& [block, unknowns] = restrictions_[r];
    const auto size = static_cast<Eigen::Index>(unknowns.size());
    for (Eigen::Index a = 0; a < size; ++a) {
      scratch_[a] = 0.0;
      for (Eigen::Index b = 0; b < size; ++b) scratch_[a] += block->projector(a, b) * v[unknowns[b]];
    }
    for (Eigen::Index a = 0; a < size; ++a) v[unknowns[a]] = scratch_[a];
  }
}

void OpenSystem::solve() {
  const Eigen::Index size = count();
  project(right_);
  for (Eigen::Index i = 0; i < size; ++i) ordered_[i] = -right_[order_[i]];
  const auto lower = factors_.topLeftCorner(size, size).triangularView<Eigen::UnitLower>();
  auto u = ordered_.head(size);
  lower.solveInPlace(u);
  u.array() /= pivots_.head(size).array();
  lower.transpose().solveInPlace(u);
  takeSolution();
}

void OpenSystem::takeSolution() {
  for (Eigen::Index i = 0; i < count(); ++i) solution_[order_[i]] = ordered_[i];
  project(solution_);
}

/// With L and its next row l, of pivot d, u = (-L^-T l, 1, 0) has u'Ku = d. The auxiliaries' rows of K u are zero where
/// they have been eliminated, so the curvature of H along u is at most u'Ku.
double OpenSystem::curvatureDirection() {
  const Eigen::Index j = badColumn_;
  ordered_.head(count()).setZero();
  if (j > 0) {
    auto before = ordered_.head(j);
    before = -factors_.row(j).head(j).transpose();
    factors_.topLeftCorner(j, j).triangularView<Eigen::UnitLower>().transpose().solveInPlace(before);
  }
  ordered_[j] = 1.0;
  takeSolution();
  return std::min(badPivot_, 0.0);
}

}  // namespace limber
