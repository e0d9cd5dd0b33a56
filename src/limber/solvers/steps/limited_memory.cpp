// SPDX-License-Identifier: MIT
#include "limber/solvers/steps/limited_memory.h"

#include <algorithm>

namespace limber {

namespace {

constexpr double kPositive = 1e-10;  // cosine of s and y: below, their curvature is rounding

bool isPositive(double sy, double ss, double yy) { return sy > 0.0 && sy * sy > kPositive * kPositive * ss * yy; }

}  // namespace

void LimitedMemory::reset(int n, int capacity) {
  for (Eigen::MatrixXd* pairs : {&steps_, &changes_, &projectedSteps_, &projectedChanges_}) pairs->resize(n, capacity);
  column_.resize(n);
  inverse_.resize(capacity);
  alpha_.resize(capacity);
  capacity_ = capacity;
  clear();
}

bool LimitedMemory::add(const Eigen::VectorXd& s, const Eigen::VectorXd& y) {
  if (!isPositive(s.dot(y), s.squaredNorm(), y.squaredNorm())) return false;
  steps_.col(next_) = s;
  changes_.col(next_) = y;
  next_ = (next_ + 1) % capacity_;
  size_ = std::min(size_ + 1, capacity_);
  return true;
}

void LimitedMemory::project(const FreeSpace& space) {
  for (int i = 0; i < size_; ++i) {
    column_ = steps_.col(i);
    space.project(column_);
    projectedSteps_.col(i) = column_;
    column_ = changes_.col(i);
    space.project(column_);
    projectedChanges_.col(i) = column_;
    const double sy = projectedSteps_.col(i).dot(column_);
    inverse_[i] = isPositive(sy, projectedSteps_.col(i).squaredNorm(), column_.squaredNorm()) ? 1.0 / sy : 0.0;
  }
}

bool LimitedMemory::apply(const FreeSpace& space, const Eigen::VectorXd& metric, const Eigen::VectorXd& v,
                          Eigen::VectorXd& out) {
  project(space);
  out = v;
  double gamma = 0.0;
  const auto place = [&](int age) { return (next_ - 1 - age + capacity_) % capacity_; };
  for (int age = 0; age < size_; ++age) {
    const int i = place(age);
    if (inverse_[i] == 0.0) continue;
    alpha_[i] = inverse_[i] * projectedSteps_.col(i).dot(out);
    out -= alpha_[i] * projectedChanges_.col(i);
    if (gamma != 0.0) continue;
    column_ = projectedChanges_.col(i).cwiseQuotient(metric);
    gamma = 1.0 / (inverse_[i] * projectedChanges_.col(i).dot(column_));
  }
  if (gamma == 0.0) return false;
  out = gamma * out.cwiseQuotient(metric);
  space.project(out);
  for (int age = size_ - 1; age >= 0; --age) {
    const int i = place(age);
    if (inverse_[i] == 0.0) continue;
    out += (alpha_[i] - inverse_[i] * projectedChanges_.col(i).dot(out)) * projectedSteps_.col(i);
  }
  return true;
}

}  // namespace limber
