// SPDX-License-Identifier: MIT
#pragma once

#include <Eigen/Core>
#include <Eigen/LU>
#include <Eigen/SVD>

namespace limber {

/// The rotation R with the largest trace(R M): it lays vectors y_k as near as can be to v_k, in the sense of least
/// squares, when M = sum w_k y_k v_k^T (Wahba's problem; solution of Arun, Huang and Blostein 1987 and Umeyama 1991).
///
/// Where M leaves a turn open (one vector alone), R is the one nearest to `present`.
inline Eigen::Matrix3d bestRotation(const Eigen::Matrix3d& m, const Eigen::Matrix3d& present) {
  constexpr double kTie = 1e-9;  // of M: far too little to be seen where M decides
  const Eigen::Matrix3d tied = m + kTie * m.norm() * present.transpose();
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(tied, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const double sign = svd.matrixU().determinant() * svd.matrixV().determinant() < 0.0 ? -1.0 : 1.0;
  return svd.matrixV() * Eigen::Vector3d(1.0, 1.0, sign).asDiagonal() * svd.matrixU().transpose();
}

}  // namespace limber
