// SPDX-License-Identifier: MIT
// Decompositions of 3 x 3 matrices. Each takes a compiler seconds, so they are compiled once.
#pragma once

#include <Eigen/Core>

namespace limber {

struct SymmetricEigen {
  Eigen::Vector3d values;   ///< ascending
  Eigen::Matrix3d vectors;  ///< orthonormal columns
};
SymmetricEigen eigenOfSymmetric(const Eigen::Matrix3d& matrix);

/// matrix = u values v'
struct SingularValues {
  Eigen::Vector3d values;  ///< descending
  Eigen::Matrix3d u, v;    ///< orthogonal, not always rotations
};
SingularValues singularValuesOf(const Eigen::Matrix3d& matrix);

}  // namespace limber
