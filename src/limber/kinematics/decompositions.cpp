// SPDX-License-Identifier: MIT
#include "limber/kinematics/decompositions.h"

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

namespace limber {

SymmetricEigen eigenOfSymmetric(const Eigen::Matrix3d& matrix) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(matrix);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

SingularValues singularValuesOf(const Eigen::Matrix3d& matrix) {
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(matrix, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return {svd.singularValues(), svd.matrixU(), svd.matrixV()};
}

}  // namespace limber
