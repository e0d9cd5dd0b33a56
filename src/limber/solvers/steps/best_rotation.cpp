// SPDX-License-Identifier: MIT
#include "limber/solvers/steps/best_rotation.h"

#include <Eigen/LU>
#include <Eigen/SVD>

namespace limber {

Eigen::Matrix3d bestRotation(const Eigen::Matrix3d& m, const Eigen::Matrix3d& present) {
  constexpr double kTie = 1e-9;  // of M: far too little to be seen where M decides
  const Eigen::Matrix3d tied = m + kTie * m.norm() * present.transpose();
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(tied, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const double sign = svd.matrixU().determinant() * svd.matrixV().determinant() < 0.0 ? -1.0 : 1.0;
  return svd.matrixV() * Eigen::Vector3d(1.0, 1.0, sign).asDiagonal() * svd.matrixU().transpose();
}

}  // namespace limber
