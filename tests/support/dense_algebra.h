// SPDX-License-Identifier: MIT
// Products and decompositions of dense matrices, compiled once, and optimised, for all tests.
#pragma once

#include <Eigen/Core>

namespace limber::test {

using LongMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
using LongVector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

/// matrix^-1 right, of a symmetric matrix.
Eigen::VectorXd solveSymmetric(const Eigen::MatrixXd& matrix, const Eigen::VectorXd& right);
LongVector solveSymmetric(const LongMatrix& matrix, const LongVector& right);

/// basis^T matrix basis: a symmetric matrix over the columns of the basis.
LongMatrix restrictedTo(const LongMatrix& basis, const LongMatrix& matrix);

/// Eigenvalues of a symmetric matrix, lowest first.
Eigen::VectorXd eigenvaluesOf(const Eigen::MatrixXd& matrix);

/// The lowest eigenvalue of h in the metric m: of h x = value m x.
double lowestEigenvalue(const LongMatrix& h, const LongMatrix& m);

bool isPositiveDefinite(const LongMatrix& matrix);

/// An orthonormal basis of what an orthogonal projector leaves, as columns.
Eigen::MatrixXd rangeOf(const Eigen::MatrixXd& projector);

}  // namespace limber::test
