// SPDX-License-Identifier: MIT
#include "limber/objective/limits/nearest_point.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace limber {

void NearestPoint::resize(int coordinates, int constraints) {
  n_ = coordinates;
  m_ = constraints;
  const int most = std::min(n_, m_) + 1;
  if (normals.rows() != n_ || normals.cols() < m_) normals.resize(n_, m_);
  if (q_.rows() != n_ || q_.cols() < most) q_.resize(n_, most);
  if (r_.rows() < most) r_.resize(most, most);
  for (Eigen::VectorXd* v : {&forces_, &slope_, &error_})
    if (v->size() < most) v->resize(most);
  normal_.resize(n_);
  along_.resize(n_);
  if (bounds.size() < m_) bounds.resize(m_);
  if (multipliers_.size() < m_) multipliers_.resize(m_);
  isEquality.resize(m_);
  skipped_.resize(m_);
  working_.reserve(most);
  signs_.reserve(most);
}

bool NearestPoint::solve(Eigen::VectorXd& x, double tolerance) {
  constexpr int kMaxRounds = 50;  // of adding and dropping, per constraint: far more than needed
  working_.clear();
  signs_.clear();
  std::fill(skipped_.begin(), skipped_.end(), char(0));
  multipliers_.setZero();
  for (int round = 0; round < kMaxRounds * (m_ + 1); ++round) {
    const int worst = findWorst(x, tolerance);
    if (worst < 0) break;
    if (!takeIn(worst, x, tolerance)) return false;
  }
  settle(x);
  for (std::size_t i = 0; i < working_.size(); ++i) multipliers_[working_[i]] = signs_[i] * forces_[i];
  return true;
}

/// The most violated constraint; -1 if no constraint is violated.
int NearestPoint::findWorst(const Eigen::VectorXd& x, double tolerance) const {
  int worst = -1;
  double most = tolerance;
  for (int j = 0; j < m_; ++j) {
    if (skipped_[j]) continue;
    if (std::find(working_.begin(), working_.end(), j) != working_.end()) continue;
    const double excess = normals.col(j).dot(x) - bounds[j];
    const double broken = isEquality[j] ? std::abs(excess) : excess;
    if (broken <= most) continue;
    most = broken;
    worst = j;
  }
  return worst;
}

/// Adds a constraint to the working set: moves x against its normal, on the working set, until it holds, and drops
/// working constraints whose multipliers would become negative.
bool NearestPoint::takeIn(int constraint, Eigen::VectorXd& x, double tolerance) {
  constexpr double kDependentRow = 1e-9;  // a unit normal is dependent if its part outside the others' span is smaller
  const double excess = normals.col(constraint).dot(x) - bounds[constraint];
  const double sign = excess < 0.0 ? -1.0 : 1.0;
  double force = 0.0;
  while (true) {
    const auto k = static_cast<Eigen::Index>(working_.size());
    normal_ = sign * normals.col(constraint);
    along_ = normal_;
    slope_.head(k).setZero();
    for (int twice = 0; twice < 2; ++twice)  // Gram-Schmidt, repeated against rounding
      for (Eigen::Index i = 0; i < k; ++i) {
        const double part = q_.col(i).dot(along_);
        slope_[i] += part;
        along_ -= part * q_.col(i);
      }
    r_.topLeftCorner(k, k).triangularView<Eigen::Upper>().solveInPlace(slope_.head(k));
    const double outside = along_.norm();
    const double broken = normal_.dot(x) - sign * bounds[constraint];
    const double infinity = std::numeric_limits<double>::infinity();
    const double whole = outside > kDependentRow ? broken / (outside * outside) : infinity;
    double step = whole;
    Eigen::Index pulling = -1;
    for (Eigen::Index i = 0; i < k; ++i) {
      if (isEquality[working_[i]] || !(slope_[i] > 0.0)) continue;
      const double most = forces_[i] / slope_[i];
      if (most >= step) continue;
      step = most;
      pulling = i;
    }
    if (step == infinity) {
      if (broken <= 100.0 * tolerance) {  // implied by the working set up to rounding
        skipped_[constraint] = 1;
        return true;
      }
      working_.push_back(constraint);
      return false;
    }
    if (whole < infinity) x -= step * along_;
    forces_.head(k) -= step * slope_.head(k);
    force += step;
    if (pulling < 0) break;
    drop(static_cast<int>(pulling));
  }
  signs_.push_back(sign);
  working_.push_back(constraint);
  append(static_cast<int>(working_.size()) - 1);
  forces_[working_.size() - 1] = force;
  return true;
}

/// Computes column `place` of q and r from the working normal there.
void NearestPoint::append(int place) {
  along_ = signs_[place] * normals.col(working_[place]);
  r_.col(place).setZero();
  for (int twice = 0; twice < 2; ++twice)
    for (int i = 0; i < place; ++i) {
      const double part = q_.col(i).dot(along_);
      r_(i, place) += part;
      along_ -= part * q_.col(i);
    }
  r_(place, place) = along_.norm();
  q_.col(place) = along_ / r_(place, place);
}

void NearestPoint::drop(int place) {
  working_.erase(working_.begin() + place);
  signs_.erase(signs_.begin() + place);
  for (int i = place; i < static_cast<int>(working_.size()); ++i) {
    forces_[i] = forces_[i + 1];
    append(i);
  }
}

/// Projects x onto the working set again, against accumulated rounding.
void NearestPoint::settle(Eigen::VectorXd& x) {
  const auto k = static_cast<Eigen::Index>(working_.size());
  for (int twice = 0; twice < 2 && k > 0; ++twice) {
    for (Eigen::Index i = 0; i < k; ++i)
      error_[i] = signs_[i] * (normals.col(working_[i]).dot(x) - bounds[working_[i]]);
    r_.topLeftCorner(k, k).triangularView<Eigen::Upper>().transpose().solveInPlace(error_.head(k));
    x.noalias() -= q_.leftCols(k) * error_.head(k);
  }
}

}  // namespace limber
