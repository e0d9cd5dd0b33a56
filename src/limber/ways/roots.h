// SPDX-License-Identifier: MIT
// All complex roots of short polynomials, and the real ones of equations in one joint coordinate.
#pragma once

#include <array>
#include <complex>
#include <span>

namespace limber::ways {

/// Computes all roots of  sum_k coefficients[k] z^k  by the simultaneous iteration of Aberth and Ehrlich. Leading and
/// trailing coefficients that are zero, relative to the largest, are left out. Returns the number of roots.
/// At most 8 roots; `roots` has room for as many as there are coefficients less one.
int findRoots(std::span<const std::complex<double>> coefficients, std::span<std::complex<double>> roots);

/// Values of one coordinate: those where a function is zero.
struct Zeros {
  int count = 0;
  std::array<double, 16> value = {};
  bool isFree = false;    ///< the function is zero everywhere
  bool isUnsure = false;  ///< a complex root is so near the real ones that rounding may hide a real one
  void add(double x) {
    if (count < static_cast<int>(value.size())) value[count++] = x;
  }
};

/// Zeros of a trigonometric polynomial of degree 2, from its values at the angles 2 pi k / 5. `scale` is the size that
/// its terms have at most: values below 1e-13 of it are zero. Roots that are complex by rounding, as double roots are,
/// are included, with the two real ones into which they may split.
Zeros zerosOfCircle(const std::array<double, 5>& samples, double scale);
/// Zeros of a polynomial of degree 4 within [-bound, bound], from its values at k bound / 2, k = -2 to 2.
Zeros zerosOfLine(const std::array<double, 5>& samples, double bound, double scale);

}  // namespace limber::ways
