// SPDX-License-Identifier: MIT
#include "limber/scene/smooth_offsets.h"

#include <Eigen/SparseCholesky>
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

Eigen::Matrix3Xd SmoothOffsets::solve() const {
  using Matrix = Eigen::SparseMatrix<double>;
  constexpr std::array<double, 3> kSecondDifference = {1.0, -2.0, 1.0};
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(18 * static_cast<std::size_t>(count_));
  const auto add = [&](int row, int column, double value) {
    if (row >= column) entries.emplace_back(row, column, value);
  };
  for (int frame = 0; frame < count_; ++frame)
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) add(3 * frame + i, 3 * frame + k, weights_[frame](i, k) + (i == k ? pull_ : 0.0));
  for (int first = 0; first + 2 < count_; ++first)
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b <= a; ++b)
        for (int i = 0; i < 3; ++i)
          add(3 * (first + a) + i, 3 * (first + b) + i, bending_ * kSecondDifference[a] * kSecondDifference[b]);
  Matrix matrix(3 * count_, 3 * count_);
  matrix.setFromTriplets(entries.begin(), entries.end());
  const Eigen::SimplicialLDLT<Matrix, Eigen::Lower, Eigen::NaturalOrdering<int>> factors(matrix);
  const Eigen::VectorXd solution = factors.solve(Eigen::VectorXd::Map(sides_.data(), sides_.size()));
  return Eigen::Matrix3Xd::Map(solution.data(), 3, count_);
}

}  // namespace limber
