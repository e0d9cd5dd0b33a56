// SPDX-License-Identifier: MIT
// Symmetric matrices of at most 8 rows, in the first rows and columns of an 8 x 8 whose rest is zero: what an
// interior-point method asks of them hundreds of times an iteration.
#pragma once

#include <Eigen/Core>

namespace limber {

using Matrix8 = Eigen::Matrix<double, 8, 8>;

/// a = factor factor', factor lower triangular. False when a is not positive definite, or not finite.
bool factorizeSmall(int size, const Matrix8& a, Matrix8& factor);

/// a^-1 from its factor.
void invertSmall(int size, const Matrix8& factor, Matrix8& inverse);

/// The largest t <= atMost with a + t step >= 0, or up to 1 % less; factor: of a.
double stepWithinSmall(int size, const Matrix8& a, const Matrix8& factor, const Matrix8& step, double atMost);

}  // namespace limber
