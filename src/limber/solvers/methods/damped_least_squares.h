// SPDX-License-Identifier: MIT
// Damped least squares in rotation vectors, after J. Gregson's commented solver (2020):
//
//   (J'J + mu diag(max(floor, diag J'J))) d = J'e,      theta <- theta - relax d
//
// theta     a ball's (or free joint's) rotation vector in joint axes, its rotation being exp(theta); of others the
//           coordinate itself. d exp(theta) = exp(theta) [J_r(theta) d theta]x with the right Jacobian of SO(3),
//             J_r = 1 - (1 - cos phi) / phi^2 [theta]x + (phi - sin phi) / phi^3 [theta]x^2,   phi = |theta|
// e         the residuals of all goals (ends at points of their links, but any goal will do) in mean link lengths, each
//           times sqrt(w / w_max); the source weighs all alike. The pull to the reference (not in the source) adds
//           its gradient and Hessian, divided by w_max; with the rest weight zero the system is the source's.
// root      the source gives the rotation of the root bone no column: the joints of links that hang on the world stay,
//           unless told otherwise.
//
// No step is tested: f may rise. Between iterations theta is read from the pose anew, |theta| <= pi, where the source
// counts on. The step knows no limits; poses are projected into them. Dense: cubic in the active coordinates.
#pragma once

#include "limber/solvers/typed_solver.h"

namespace limber {

struct DampedLeastSquaresOptions {
  double damping = 0.05;        ///< mu
  double diagonalFloor = 1e-6;  ///< least diagonal entry that is damped
  double relaxation = 0.75;     ///< relax, in (0, 1]
  bool moveRoot = false;        ///< the joints of links that hang on the world move, too
  int maxIterations = 100;      ///< solves in a row, as the source's example has them
  double tolerance = 1e-6;      ///< stop when no coordinate moves by more; radians, mean link lengths; not the source's

  static const TypedSolver<DampedLeastSquaresOptions>& solver();
};

/// J_r(theta): exp(theta + d) = exp(theta) exp(J_r d) to first order.
Eigen::Matrix3d rightJacobian(const Eigen::Vector3d& theta);

}  // namespace limber
