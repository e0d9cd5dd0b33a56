// SPDX-License-Identifier: MIT
// Symmetric matrices of at most N rows, in the first rows and columns of an N x N whose rest is zero: what an
// interior-point method asks of them hundreds of times an iteration. N = 8, 9 or 10.
#pragma once

#include <Eigen/Core>

namespace limber {

template <int N>
using SmallMatrix = Eigen::Matrix<double, N, N>;

/// a = factor factor', factor lower triangular. False when a is not positive definite, or not finite.
template <int N>
bool factorizeSmall(int size, const SmallMatrix<N>& a, SmallMatrix<N>& factor);

/// a^-1 from its factor.
template <int N>
void invertSmall(int size, const SmallMatrix<N>& factor, SmallMatrix<N>& inverse);

/// a b c + (a b c)', halved.
template <int N>
SmallMatrix<N> symmetricProduct(int size, const SmallMatrix<N>& a, const SmallMatrix<N>& b, const SmallMatrix<N>& c);

/// The largest t <= atMost with a + t step >= 0, or up to 1 % less; factor: of a.
template <int N>
double stepWithinSmall(int size, const SmallMatrix<N>& a, const SmallMatrix<N>& factor, const SmallMatrix<N>& step,
                       double atMost);

}  // namespace limber
