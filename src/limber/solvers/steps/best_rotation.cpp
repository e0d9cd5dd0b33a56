// SPDX-License-Identifier: MIT
#include "limber/solvers/steps/best_rotation.h"

#include <Eigen/LU>
#include "limber/kinematics/decompositions.h"

namespace limber {

Eigen::Matrix3d bestRotation(const Eigen::Matrix3d& m, const Eigen::Matrix3d& present) {
  constexpr double kTie = 1e-9;  // of M: negligible if M determines the rotation
  const Eigen::Matrix3d tied = m + kTie * m.norm() * present.transpose();
  const auto [values, u, v] = singularValuesOf(tied);
  const double sign = u.determinant() * v.determinant() < 0.0 ? -1.0 : 1.0;
  return v * Eigen::Vector3d(1.0, 1.0, sign).asDiagonal() * u.transpose();
}

}  // namespace limber
