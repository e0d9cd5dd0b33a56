// SPDX-License-Identifier: MIT
// Symmetric matrices of at most N rows, stored in the first rows and columns of an N x N matrix whose rest is zero. An
// interior-point method needs these functions hundreds of times per iteration. N = 8, 9 or 10.
#pragma once

#include <Eigen/Core>

namespace limber {

template <int N>
using SmallMatrix = Eigen::Matrix<double, N, N>;

/// a = factor factor', factor lower triangular. False if a is not positive definite, or not finite.
template <int N>
bool factorizeSmall(int size, const SmallMatrix<N>& a, SmallMatrix<N>& factor);

/// a^-1 from its factor.
template <int N>
void invertSmall(int size, const SmallMatrix<N>& factor, SmallMatrix<N>& inverse);

/// (a b c + (a b c)') / 2.
template <int N>
SmallMatrix<N> symmetricProduct(int size, const SmallMatrix<N>& a, const SmallMatrix<N>& b, const SmallMatrix<N>& c);

/// The largest t <= atMost with a + t step >= 0, up to 1 % too small; factor: of a.
template <int N>
double stepWithinSmall(int size, const SmallMatrix<N>& a, const SmallMatrix<N>& factor, const SmallMatrix<N>& step,
                       double atMost);

}  // namespace limber
