// SPDX-License-Identifier: MIT
#include "limber/scene/smooth_offsets.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace limber {

SmoothOffsets::SmoothOffsets(int frameCount, double frameTime, double smoothTime, double pull)
    : count_(frameCount), bending_(std::pow(smoothTime / frameTime, 4)), pull_(pull) {
  clearDemands();
}

void SmoothOffsets::clearDemands() {
  weights_.assign(count_, Eigen::Matrix3d::Zero());
  sides_.setZero(3, count_);
}

void SmoothOffsets::demand(int frame, const Eigen::Vector3d& direction, double offset, double weight) {
  weights_[frame] += weight * direction * direction.transpose();
  sides_.col(frame) += weight * offset * direction;
}

void SmoothOffsets::fix(int frame, const Eigen::Vector3d& offset) {
  constexpr double kFixed = 1e6;
  const double weight = kFixed * stiffness();
  weights_[frame].diagonal().array() += weight;
  sides_.col(frame) += weight * offset;
}

namespace {

constexpr int kBelow = 8;  // entries below the diagonal: an offset is tied to those of the two next frames

/// The lower band of a symmetric matrix: (k, j) is the entry of row j + k and column j.
using Band = Eigen::Matrix<double, kBelow + 1, Eigen::Dynamic>;

/// Factors a positive matrix as L D L', in place.
void factorBand(Band& band) {
  for (Eigen::Index j = 0; j < band.cols(); ++j) {
    const Eigen::Index below = std::min<Eigen::Index>(kBelow, band.cols() - 1 - j);
    for (Eigen::Index k = 1; k <= below; ++k) {
      const double part = band(k, j) / band(0, j);
      if (part == 0.0) continue;
      for (Eigen::Index m = k; m <= below; ++m) band(m - k, j + k) -= part * band(m, j);
    }
    for (Eigen::Index k = 1; k <= below; ++k) band(k, j) /= band(0, j);
  }
}

void solveFactored(const Band& band, Eigen::Ref<Eigen::VectorXd> x) {
  const auto below = [&](Eigen::Index j) { return std::min<Eigen::Index>(kBelow, band.cols() - 1 - j); };
  for (Eigen::Index j = 0; j < band.cols(); ++j)
    for (Eigen::Index k = 1; k <= below(j); ++k) x[j + k] -= band(k, j) * x[j];
  for (Eigen::Index j = band.cols() - 1; j >= 0; --j) {
    x[j] /= band(0, j);
    for (Eigen::Index k = 1; k <= below(j); ++k) x[j] -= band(k, j) * x[j + k];
  }
}

}  // namespace

Eigen::Matrix3Xd SmoothOffsets::solve() const {
  constexpr std::array<double, 3> kSecondDifference = {1.0, -2.0, 1.0};
  Band band = Band::Zero(kBelow + 1, 3 * count_);
  for (int frame = 0; frame < count_; ++frame)
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k <= i; ++k) band(i - k, 3 * frame + k) += weights_[frame](i, k) + (i == k ? pull_ : 0.0);
  for (int first = 0; first + 2 < count_; ++first)
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b <= a; ++b)
        for (int i = 0; i < 3; ++i)
          band(3 * (a - b), 3 * (first + b) + i) += bending_ * kSecondDifference[a] * kSecondDifference[b];
  factorBand(band);
  Eigen::Matrix3Xd offsets = sides_;
  solveFactored(band, Eigen::VectorXd::Map(offsets.data(), offsets.size()));
  return offsets;
}

}  // namespace limber
