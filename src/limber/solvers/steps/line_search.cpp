// SPDX-License-Identifier: MIT
#include "limber/solvers/steps/line_search.h"

#include <algorithm>

namespace limber {

double hermiteMinimum(const LineTrial& a, const LineTrial& b) {
  const double width = b.step - a.step;
  const double d = a.slope + b.slope - 3.0 * (b.value - a.value) / width;
  const double e = std::sqrt(d * d - a.slope * b.slope);
  const double t = 1.0 - (b.slope + e - d) / (b.slope - a.slope + 2.0 * e);
  if (!std::isfinite(t)) return a.step + 0.5 * width;
  return a.step + std::clamp(t, 0.01, 0.9) * width;
}

}  // namespace limber
