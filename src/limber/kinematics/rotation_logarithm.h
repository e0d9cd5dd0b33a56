// SPDX-License-Identifier: MIT
// Derivatives of the logarithm t of a rotation under further rotation. With phi = |t|,
//
//   log(exp(t) exp(s)) = t + Jr^-1(t) s + ...,   Jr^-1 = 1 + 1/2 [t]x + c [t]x^2,   log(exp(s) exp(t)) = t + Jr^-T s +
//   ... c(phi) = (1 - (phi/2) cot(phi/2)) / phi^2 = 1/12 + phi^2/720 + ...
//
// (Chirikjian, "Stochastic Models, Information Theory, and Lie Groups", vol. 2, section 10.6.) The second derivative of
// m . log along a turn s is the symmetric part of (d/dt Jr^-T(t) m) Jr^-1(t). Smooth for |t| < 2 pi.
#pragma once

#include <Eigen/Core>

namespace limber {

/// Jr^-1(t); its transpose is the inverse of the left Jacobian.
Eigen::Matrix3d inverseRightJacobian(const Eigen::Vector3d& t);

/// Jr^-T(t) m = m - 1/2 t x m + c t x (t x m): the gradient of m . log(exp(t) exp(s)) with respect to s.
Eigen::Vector3d pulledBack(const Eigen::Vector3d& t, const Eigen::Vector3d& m);

/// The derivative of pulledBack with respect to t, for constant m.
Eigen::Matrix3d pulledBackSlope(const Eigen::Vector3d& t, const Eigen::Vector3d& m);

}  // namespace limber
