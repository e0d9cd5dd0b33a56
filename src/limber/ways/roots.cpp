// SPDX-License-Identifier: MIT
#include "limber/ways/roots.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace limber::ways {

namespace {

using Complex = std::complex<double>;

constexpr int kMaxRoots = 8;
constexpr double kNoCoefficient = 1e-14;  ///< relative to the largest
constexpr double kZero = 1e-13;           ///< relative to the scale
/// Complex roots up to this far from the real ones are tried: a double root of a polynomial with errors of 1e-13 may be
/// off by 3e-7, a quadruple one by 6e-4.
constexpr double kNearReal = 2e-3;
/// A root beyond this distance is complex for certain.
constexpr double kSurelyComplex = 1e-5;

double norm1(const Complex& z) { return std::abs(z.real()) + std::abs(z.imag()); }

// std::complex multiplies with a test for infinities, which costs more than the rest
Complex times(const Complex& a, const Complex& b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

Complex inverse(const Complex& a) {
  const double square = a.real() * a.real() + a.imag() * a.imag();
  return {a.real() / square, -a.imag() / square};
}

/// p(z) / p'(z), and whether p(z) is as small as its rounding.
Complex newtonStep(std::span<const Complex> c, const Complex& z, bool& isRoot) {
  Complex value = c.back(), slope = 0.0;
  double size = norm1(c.back());
  const double length = std::sqrt(std::norm(z));
  for (std::size_t k = c.size() - 1; k-- > 0;) {
    slope = times(slope, z) + value;
    value = times(value, z) + c[k];
    size = size * length + norm1(c[k]);
  }
  isRoot = norm1(value) <= 4e-16 * size;
  if (norm1(slope) == 0.0) return {1e-3, 1e-3};
  return times(value, inverse(slope));
}

void tryReal(Zeros& zeros, double x, double distance) {
  if (distance > kNearReal) return;
  if (distance > 1e-12 && distance <= kSurelyComplex) zeros.isUnsure = true;
  zeros.add(x);
  if (distance > 1e-9) {
    zeros.add(x - distance);
    zeros.add(x + distance);
  }
}

/// True if f is zero everywhere, or not a number.
bool isZero(const std::array<double, 5>& samples, double scale) {
  return std::ranges::none_of(samples, [&](double sample) { return std::abs(sample) > kZero * scale; });
}

}  // namespace

int findRoots(std::span<const Complex> coefficients, std::span<Complex> roots) {
  double largest = 0.0;
  for (const Complex& c : coefficients) largest = std::max(largest, norm1(c));
  if (!(largest > 0.0) || !std::isfinite(largest)) return 0;
  int zerosAtOrigin = 0;
  while (norm1(coefficients.back()) <= kNoCoefficient * largest)
    coefficients = coefficients.first(coefficients.size() - 1);
  while (norm1(coefficients.front()) <= kNoCoefficient * largest) {
    coefficients = coefficients.subspan(1);
    roots[zerosAtOrigin++] = 0.0;
  }
  const int count = static_cast<int>(coefficients.size()) - 1;
  if (count == 0) return zerosAtOrigin;
  Complex* z = roots.data() + zerosAtOrigin;
  // Starting points on a circle with the geometric mean of the roots as radius.
  const double radius = std::pow(std::sqrt(std::norm(coefficients[0]) / std::norm(coefficients[count])), 1.0 / count);
  for (int i = 0; i < count; ++i) z[i] = std::polar(radius, 2.0 * std::numbers::pi * i / count + 0.4);
  bool isDone[kMaxRoots] = {};
  constexpr int kMaxRounds = 60;
  for (int round = 0, open = count; round < kMaxRounds && open > 0; ++round)
    for (int i = 0; i < count; ++i) {
      if (isDone[i]) continue;
      bool isRoot = false;
      const Complex step = newtonStep(coefficients, z[i], isRoot);
      Complex repulsion = 0.0;
      for (int j = 0; j < count; ++j)
        if (j != i && z[j] != z[i]) repulsion += inverse(z[i] - z[j]);
      const Complex denominator = 1.0 - times(step, repulsion);
      const Complex move = norm1(denominator) > 0.0 ? times(step, inverse(denominator)) : step;
      if (!std::isfinite(norm1(move))) continue;
      z[i] -= move;
      if (isRoot || norm1(move) <= 1e-16 * norm1(z[i])) {
        isDone[i] = true;
        --open;
      }
    }
  return zerosAtOrigin + count;
}

Zeros zerosOfCircle(const std::array<double, 5>& samples, double scale) {
  if (isZero(samples, scale)) return {.isFree = true};
  Zeros zeros;
  // With z = exp(i angle), f = sum of c_k z^k for k = -2 to 2; the roots on the unit circle are the real angles.
  struct Wave {
    double c[5][5], s[5][5];
  };
  static const Wave wave = [] {
    Wave w;
    for (int k = 0; k < 5; ++k)
      for (int j = 0; j < 5; ++j) {
        w.c[k][j] = std::cos(2.0 * std::numbers::pi * (k - 2) * j / 5);
        w.s[k][j] = std::sin(2.0 * std::numbers::pi * (k - 2) * j / 5);
      }
    return w;
  }();
  Complex c[5], z[4];
  for (int k = 0; k < 5; ++k) {
    double real = 0.0, imaginary = 0.0;
    for (int j = 0; j < 5; ++j) {
      real += samples[j] * wave.c[k][j];
      imaginary -= samples[j] * wave.s[k][j];
    }
    c[k] = {real, imaginary};
  }
  const int count = findRoots(c, z);
  for (int i = 0; i < count; ++i)
    if (const double length = std::sqrt(std::norm(z[i])); length > 0.5 && length < 2.0)
      tryReal(zeros, std::arg(z[i]), std::abs(std::log(length)));
  return zeros;
}

Zeros zerosOfLine(const std::array<double, 5>& samples, double bound, double scale) {
  if (isZero(samples, scale)) return {.isFree = true};
  Zeros zeros;
  // Interpolation at x = -2 to 2, in units of half the bound.
  const double a = samples[0], b = samples[1], c = samples[2], d = samples[3], e = samples[4];
  const Complex polynomial[5] = {c, (a - 8 * b + 8 * d - e) / 12, (-a + 16 * b - 30 * c + 16 * d - e) / 24,
                                 (-a + 2 * b - 2 * d + e) / 12, (a - 4 * b + 6 * c - 4 * d + e) / 24};
  Complex z[4];
  const int count = findRoots(polynomial, z);
  for (int i = 0; i < count; ++i)
    if (std::abs(z[i].real()) <= 2.0 * (1.0 + kNearReal)) {
      Zeros unit;
      tryReal(unit, z[i].real(), std::abs(z[i].imag()));
      zeros.isUnsure = zeros.isUnsure || unit.isUnsure;
      for (int k = 0; k < unit.count; ++k) zeros.add(0.5 * bound * unit.value[k]);
    }
  return zeros;
}

}  // namespace limber::ways
