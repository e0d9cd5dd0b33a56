// SPDX-License-Identifier: MIT
#include "limber/solvers/convex/small_symmetric.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace limber {

namespace {

constexpr double kPrecision = 0.01;
constexpr int kMostHalvings = 60;

/// a <- factor^-1 a, column by column.
template <int N>
void solveLower(int size, const SmallMatrix<N>& factor, SmallMatrix<N>& a) {
  for (int j = 0; j < size; ++j)
    for (int k = 0; k < size; ++k) {
      const double x = a(k, j) / factor(k, k);
      a(k, j) = x;
      for (int i = k + 1; i < size; ++i) a(i, j) -= factor(i, k) * x;
    }
}

template <int N>
struct Tridiagonal {
  std::array<double, N> diagonal{}, squares{};  ///< squares[i]: square of the entry between i and i + 1
};

/// Tridiagonal form with the same eigenvalues, by Householder's reflections. a is scratch.
template <int N>
Tridiagonal<N> tridiagonalize(int size, SmallMatrix<N>& a) {
  Tridiagonal<N> t;
  std::array<double, N> v{}, p{};
  for (int k = 0; k + 2 < size; ++k) {
    double norm = 0.0;
    for (int i = k + 1; i < size; ++i) norm += a(i, k) * a(i, k);
    t.squares[k] = norm;
    if (norm == 0.0) continue;
    norm = a(k + 1, k) > 0.0 ? -std::sqrt(norm) : std::sqrt(norm);
    double square = 0.0;
    for (int i = k + 1; i < size; ++i) {
      const double x = i == k + 1 ? a(i, k) - norm : a(i, k);
      v[i] = x;
      square += x * x;
    }
    if (square == 0.0) continue;
    double dot = 0.0;
    for (int i = k + 1; i < size; ++i) {
      double sum = 0.0;
      for (int j = k + 1; j < size; ++j) sum += a(i, j) * v[j];
      p[i] = 2.0 * sum / square;
      dot += p[i] * v[i];
    }
    for (int i = k + 1; i < size; ++i) p[i] -= dot / square * v[i];
    for (int j = k + 1; j < size; ++j)
      for (int i = k + 1; i < size; ++i) a(i, j) -= v[i] * p[j] + p[i] * v[j];
  }
  for (int i = 0; i < size; ++i) t.diagonal[i] = a(i, i);
  if (size > 1) t.squares[size - 2] = a(size - 1, size - 2) * a(size - 1, size - 2);
  return t;
}

/// True if an eigenvalue is below x (Sturm).
template <int N>
bool hasBelow(int size, const Tridiagonal<N>& t, double x) {
  double pivot = 1.0, square = 0.0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(size); ++i) {
    pivot = t.diagonal[i] - x - square / pivot;
    if (!(pivot > 0.0)) return true;
    square = t.squares[i];
  }
  return false;
}

template <int N>
double lowerEnd(int size, const Tridiagonal<N>& t) {
  double least = t.diagonal[0], before = 0.0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(size); ++i) {
    const double after = i + 1 < static_cast<std::size_t>(size) ? std::sqrt(t.squares[i]) : 0.0;
    least = std::min(least, t.diagonal[i] - before - after);
    before = after;
  }
  return least;
}

/// Half the sum of a b c and its transpose, for the first rows and columns; `stride` is the distance of columns.
template <int Size>
void multiplySymmetric(const double* a, const double* b, const double* c, Eigen::OuterStride<> stride, double* result) {
  using Square = SmallMatrix<Size>;
  using Input = Eigen::Map<const Square, Eigen::Unaligned, Eigen::OuterStride<>>;
  using Output = Eigen::Map<Square, Eigen::Unaligned, Eigen::OuterStride<>>;
  const Square product = (Input(a, stride) * Input(b, stride)).eval() * Input(c, stride);
  Output(result, stride) = 0.5 * (product + product.transpose());
}

}  // namespace

template <int N>
bool factorizeSmall(int size, const SmallMatrix<N>& a, SmallMatrix<N>& factor) {
  factor.setZero();
  for (int j = 0; j < size; ++j) {
    double pivot = a(j, j);
    for (int k = 0; k < j; ++k) pivot -= factor(j, k) * factor(j, k);
    if (!(pivot > 0.0 && pivot < std::numeric_limits<double>::infinity())) return false;
    pivot = std::sqrt(pivot);
    factor(j, j) = pivot;
    for (int i = j + 1; i < size; ++i) factor(i, j) = a(i, j);
    for (int k = 0; k < j; ++k)
      for (int i = j + 1; i < size; ++i) factor(i, j) -= factor(i, k) * factor(j, k);
    for (int i = j + 1; i < size; ++i) factor(i, j) /= pivot;
  }
  return true;
}

template <int N>
void invertSmall(int size, const SmallMatrix<N>& factor, SmallMatrix<N>& inverse) {
  SmallMatrix<N> lower = SmallMatrix<N>::Zero();
  for (int i = 0; i < size; ++i) lower(i, i) = 1.0;
  solveLower(size, factor, lower);
  inverse.setZero();
  for (int j = 0; j < size; ++j)
    for (int i = j; i < size; ++i) {
      double sum = 0.0;
      for (int k = i; k < size; ++k) sum += lower(k, i) * lower(k, j);
      inverse(i, j) = inverse(j, i) = sum;
    }
}

template <int N>
SmallMatrix<N> symmetricProduct(int size, const SmallMatrix<N>& a, const SmallMatrix<N>& b, const SmallMatrix<N>& c) {
  SmallMatrix<N> result = SmallMatrix<N>::Zero();
  const auto multiply = size <= 4 ? multiplySymmetric<4> : size <= 8 ? multiplySymmetric<8> : multiplySymmetric<N>;
  multiply(a.data(), b.data(), c.data(), Eigen::OuterStride<>(N), result.data());
  return result;
}

template <int N>
double stepWithinSmall(int size, const SmallMatrix<N>& a, const SmallMatrix<N>& factor, const SmallMatrix<N>& step,
                       double atMost) {
  SmallMatrix<N> scaled = a + atMost * step;
  SmallMatrix<N> unused;
  if (factorizeSmall(size, scaled, unused)) return atMost;
  scaled = step;
  solveLower(size, factor, scaled);
  scaled.transposeInPlace();
  solveLower(size, factor, scaled);
  const Tridiagonal<N> t = tridiagonalize(size, scaled);
  double below = lowerEnd(size, t), above = 0.0;
  if (std::isnan(below)) return 0.0;
  if (below >= 0.0) return atMost;
  for (int k = 0; k < kMostHalvings && above - below > -kPrecision * below; ++k) {
    const double middle = 0.5 * (below + above);
    (hasBelow(size, t, middle) ? above : below) = middle;
  }
  return std::min(atMost, -1.0 / below);
}

#define LIMBER_SMALL_SYMMETRIC(N)                                                                \
  template bool factorizeSmall<N>(int, const SmallMatrix<N>&, SmallMatrix<N>&);                  \
  template void invertSmall<N>(int, const SmallMatrix<N>&, SmallMatrix<N>&);                     \
  template SmallMatrix<N> symmetricProduct<N>(int, const SmallMatrix<N>&, const SmallMatrix<N>&, \
                                              const SmallMatrix<N>&);                            \
  template double stepWithinSmall<N>(int, const SmallMatrix<N>&, const SmallMatrix<N>&, const SmallMatrix<N>&, double);
LIMBER_SMALL_SYMMETRIC(8)
LIMBER_SMALL_SYMMETRIC(9)
LIMBER_SMALL_SYMMETRIC(10)
#undef LIMBER_SMALL_SYMMETRIC

}  // namespace limber
