// SPDX-License-Identifier: MIT
#include "support/dense_algebra.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

namespace limber::test {

Eigen::VectorXd solveSymmetric(const Eigen::MatrixXd& matrix, const Eigen::VectorXd& right) {
  return matrix.ldlt().solve(right);
}

LongVector solveSymmetric(const LongMatrix& matrix, const LongVector& right) { return matrix.ldlt().solve(right); }

LongMatrix restrictedTo(const LongMatrix& basis, const LongMatrix& matrix) {
  return basis.transpose() * matrix * basis;
}

Eigen::VectorXd eigenvaluesOf(const Eigen::MatrixXd& matrix) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(matrix, Eigen::EigenvaluesOnly).eigenvalues();
}

double lowestEigenvalue(const LongMatrix& h, const LongMatrix& m) {
  return static_cast<double>(
      Eigen::GeneralizedSelfAdjointEigenSolver<LongMatrix>(h, m, Eigen::EigenvaluesOnly).eigenvalues()[0]);
}

bool isPositiveDefinite(const LongMatrix& matrix) { return Eigen::LLT<LongMatrix>(matrix).info() == Eigen::Success; }

Eigen::MatrixXd rangeOf(const Eigen::MatrixXd& projector) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(projector);
  Eigen::Index across = 0;
  while (across < projector.cols() && eigen.eigenvalues()[across] < 0.5) ++across;
  return eigen.eigenvectors().rightCols(projector.cols() - across);
}

}  // namespace limber::test
