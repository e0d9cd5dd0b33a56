// SPDX-License-Identifier: MIT
// The part of a driver's interval in which its follower keeps its limits: narrowDriver (limit_list.h).
#include <algorithm>
#include <cmath>
#include <vector>

#include "limber/objective/limits/limit_list.h"

namespace limber {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kTouch = 1e-12;  // a smaller violation, relative to the limit's size, counts as touching it
constexpr int kBisections = 200;  // more than a double can be halved

using Polynomial = std::vector<double>;  ///< c0 first; the last coefficient is not zero

double valueAt(const Polynomial& p, double q) {
  double sum = 0.0;
  for (std::size_t i = p.size(); i-- > 0;) sum = sum * q + p[i];
  return sum;
}

Polynomial derivative(const Polynomial& p) {
  Polynomial result;
  for (std::size_t i = 1; i < p.size(); ++i) result.push_back(static_cast<double>(i) * p[i]);
  return result;
}

/// The root between a and b, at which the signs differ.
double bisect(const Polynomial& p, double a, double b) {
  const bool rises = valueAt(p, b) > 0.0;
  for (int i = 0; i < kBisections; ++i) {
    const double middle = 0.5 * (a + b);
    if (middle == a || middle == b) break;
    ((valueAt(p, middle) > 0.0) == rises ? b : a) = middle;
  }
  return std::abs(valueAt(p, a)) < std::abs(valueAt(p, b)) ? a : b;
}

/// Real roots, ascending. Between two roots of the derivative there is at most one. Double roots count.
std::vector<double> realRoots(const Polynomial& p) {
  if (p.size() < 2) return {};
  if (p.size() == 2) return {-p[0] / p[1]};
  double bound = 0.0, size = 0.0;  // Cauchy's bound
  for (const double c : p) {
    bound = std::max(bound, std::abs(c / p.back()));
    size = std::max(size, std::abs(c));
  }
  std::vector<double> ends = realRoots(derivative(p));
  ends.insert(ends.begin(), -bound - 1.0);
  ends.push_back(bound + 1.0);
  std::vector<double> roots;
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    if (i > 0 && std::abs(valueAt(p, ends[i])) <= kTouch * size) roots.push_back(ends[i]);
    if ((valueAt(p, ends[i]) > 0.0) != (valueAt(p, ends[i + 1]) > 0.0))
      roots.push_back(bisect(p, ends[i], ends[i + 1]));
  }
  std::sort(roots.begin(), roots.end());
  return roots;
}

double distance(const Interval& interval, double q) { return std::max({interval.lower - q, q - interval.upper, 0.0}); }

/// A point between two breaks. The follower crosses no limit between them, so any point represents all.
double pointBetween(double a, double b) {
  if (a == -kInfinity && b == kInfinity) return 0.0;
  if (a == -kInfinity) return b - 1.0;
  if (b == kInfinity) return a + 1.0;
  return 0.5 * (a + b);
}

}  // namespace

std::optional<Interval> narrowDriver(const std::array<double, 4>& coefficients, double offset, const Interval& follower,
                                     const Interval& driver, double near) {
  Polynomial p = {offset, coefficients[0], coefficients[1], coefficients[2], coefficients[3]};
  while (p.size() > 1 && p.back() == 0.0) p.pop_back();
  std::vector<double> breaks = {driver.lower, driver.upper};
  for (const double limit : {follower.lower, follower.upper}) {
    if (!std::isfinite(limit)) continue;
    Polynomial shifted = p;
    shifted[0] -= limit;
    for (const double root : realRoots(shifted))
      if (root > driver.lower && root < driver.upper) breaks.push_back(root);
  }
  std::sort(breaks.begin(), breaks.end());
  const auto isInside = [&](double q) {
    const double value = valueAt(p, q);
    const double touch = kTouch * (1.0 + std::abs(value));
    return value >= follower.lower - touch && value <= follower.upper + touch;
  };
  std::optional<Interval> best;
  for (std::size_t i = 0; i < breaks.size(); ++i) {
    if (!std::isfinite(breaks[i]) ? i > 0 : !isInside(breaks[i])) continue;
    Interval part{breaks[i], breaks[i]};
    while (i + 1 < breaks.size() && isInside(pointBetween(breaks[i], breaks[i + 1]))) part.upper = breaks[++i];
    if (!std::isfinite(part.lower) && part.lower == part.upper) continue;
    if (!best || distance(part, near) < distance(*best, near)) best = part;
  }
  return best;
}

}  // namespace limber
