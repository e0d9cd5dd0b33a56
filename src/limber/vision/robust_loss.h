// SPDX-License-Identifier: MIT
// The loss of Geman and McClure, which limits the effect of outliers among observed points: rho(x) = x^2 / (1 + x^2 /
// a^2), at an error of x standard deviations. It grows as x^2 up to about a, and never exceeds a^2.
#pragma once

#include <cmath>

namespace limber {

inline constexpr double kLostError = 1e6;  ///< standard deviations; for a point behind the camera

inline double robustLoss(double x, double a) { return x * x / (1.0 + x * x / (a * a)); }
/// rho'(x) / 2x: the weight with which least squares of the errors have the gradient of the loss.
inline double robustWeight(double x, double a) { return std::pow(1.0 + x * x / (a * a), -2.0); }

}  // namespace limber
