// SPDX-License-Identifier: MIT
#include "limber/solvers/steps/active_set.h"

#include <algorithm>

namespace limber {

void ActiveSet::reset(int n) {
  normals_.resize(n, n);
  inverse_.resize(n, n);
  for (Eigen::VectorXd* v : {&products_, &rest_, &coefficients_, &sum_}) v->resize(n);
  limits_.resize(n);
  size_ = 0;
  probe_ = 0;
}

int ActiveSet::find(int limit) const {
  const auto end = limits_.begin() + size_;
  const auto found = std::find(limits_.begin(), end, limit);
  return found == end ? -1 : static_cast<int>(found - limits_.begin());
}

bool ActiveSet::add(int limit, const Eigen::VectorXd& normal) {
  if (size_ == dimension()) return false;
  normals_.col(size_) = normal;
  if (!append()) return false;
  limits_[size_ - 1] = limit;
  if (isInexact(size_ - 1)) refresh();
  return true;
}

/// Appends the column after the last. Its part outside the others' span is computed in two passes, because the first
/// leaves rounding errors.
bool ActiveSet::append() {
  const int q = size_;
  auto r = coefficients_.head(q);
  auto u = products_.head(q);
  auto correction = sum_.head(q);
  rest_ = normals_.col(q);
  r.setZero();
  for (int pass = 0; pass < 2; ++pass) {
    u.noalias() = normals_.leftCols(q).transpose() * rest_;
    correction.noalias() = inverse_.topLeftCorner(q, q) * u;
    rest_.noalias() -= normals_.leftCols(q) * correction;
    r += correction;
  }
  const double d = rest_.squaredNorm();
  if (!(d > kDependent)) return false;
  for (int j = 0; j < q; ++j) inverse_.col(j).head(q) += (r[j] / d) * r;
  inverse_.col(q).head(q) = r / -d;
  inverse_.row(q).head(q) = inverse_.col(q).head(q).transpose();
  inverse_(q, q) = 1.0 / d;
  ++size_;
  return true;
}

void ActiveSet::drop(int column) {
  const int last = size_ - 1;
  swapColumns(column, last);
  auto b = coefficients_.head(last);
  b = inverse_.col(last).head(last);
  const double c = inverse_(last, last);
  for (int j = 0; j < last; ++j) inverse_.col(j).head(last) -= (b[j] / c) * b;
  --size_;
  if (size_ == 0) return;
  probe_ = (probe_ + 1) % size_;
  if (isInexact(probe_)) refresh();
}

void ActiveSet::swapColumns(int a, int b) {
  if (a == b) return;
  std::swap(limits_[a], limits_[b]);
  normals_.col(a).swap(normals_.col(b));
  inverse_.col(a).head(size_).swap(inverse_.col(b).head(size_));
  inverse_.row(a).head(size_).swap(inverse_.row(b).head(size_));
}

bool ActiveSet::isInexact(int column) const {
  products_.head(size_).noalias() = normals_.leftCols(size_).transpose() * normals_.col(column);
  sum_.head(size_).noalias() = inverse_.topLeftCorner(size_, size_) * products_.head(size_);
  sum_[column] -= 1.0;
  return !(sum_.head(size_).cwiseAbs().maxCoeff() <= kRoundingAllowed);
}

/// Adds the same columns again one by one; columns that have become dependent are dropped.
void ActiveSet::refresh() {
  const int count = size_;
  size_ = 0;
  for (int j = 0; j < count; ++j) {
    if (j != size_) normals_.col(size_) = normals_.col(j);
    limits_[size_] = limits_[j];
    append();
  }
}

void ActiveSet::project(Eigen::VectorXd& v) const {
  if (size_ == 0) return;
  products_.head(size_).noalias() = normals_.leftCols(size_).transpose() * v;
  coefficients_.head(size_).noalias() = inverse_.topLeftCorner(size_, size_) * products_.head(size_);
  v.noalias() -= normals_.leftCols(size_) * coefficients_.head(size_);
}

void ActiveSet::computeMultipliers(const Eigen::VectorXd& gradient, Eigen::VectorXd& alpha) const {
  products_.head(size_).noalias() = normals_.leftCols(size_).transpose() * gradient;
  alpha.resize(dimension());
  alpha.head(size_).noalias() = inverse_.topLeftCorner(size_, size_) * products_.head(size_);
}

}  // namespace limber
