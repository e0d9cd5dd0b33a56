// SPDX-License-Identifier: MIT
// Damped least squares in rotation vectors, after J. Gregson's commented solver (2020):
//
//   (J'J + mu diag(max(floor, diag J'J))) d = J'e,      theta <- theta - relax d
//
// theta     of a ball or free joint the rotation vector in joint axes, with the rotation exp(theta); of other joints
//           the coordinate itself. d exp(theta) = exp(theta) [J_r(theta) d theta]x with the right Jacobian of SO(3),
//             J_r = 1 - (1 - cos phi) / phi^2 [theta]x + (phi - sin phi) / phi^3 [theta]x^2,   phi = |theta|
// e         the residuals of all goals (in the source points of links, here any goal) in mean link lengths, each
//           times sqrt(w / w_max); the source has no weights. The pull to the reference (not in the source) adds
//           its gradient and Hessian, divided by w_max; with the rest weight zero the system is the source's.
// root      the source has no column for the rotation of the root bone: joints of links whose parent is the world stay,
//           unless moveRoot is set.
//
// Steps are not tested, so f may rise. In each iteration theta is computed anew from the pose, |theta| <= pi; in the
// source it accumulates. The step ignores limits; poses are projected into them. Dense: cubic in the active
// coordinates.
#pragma once

#include "limber/solvers/typed_solver.h"

namespace limber {

struct DampedLeastSquaresOptions {
  double damping = 0.05;        ///< mu
  double diagonalFloor = 1e-6;  ///< least diagonal entry that is damped
  double relaxation = 0.75;     ///< relax, in (0, 1]
  bool moveRoot = false;        ///< joints of links whose parent is the world move, too
  int maxIterations = 100;      ///< the number of solves in the source's example
  double tolerance = 1e-6;  ///< stop when no coordinate moves by more; radians, mean link lengths (not in the source)

  static const TypedSolver<DampedLeastSquaresOptions>& solver();
};

/// J_r(theta): exp(theta + d) = exp(theta) exp(J_r d) to first order.
Eigen::Matrix3d rightJacobian(const Eigen::Vector3d& theta);

}  // namespace limber
