// SPDX-License-Identifier: MIT
// Gradient descent with a fixed step, as in C. Karen Liu's lecture "Inverse Kinematics":
//
//   while |C(q)|^2 > epsilon:   d = 2 J^T C  (or by differences of f);   q <- q - alpha d
//
// There C = p(q) - target of one end effector. Here it stacks the residuals of all goals in mean link lengths, each
// times sqrt(w / w_max), with w_max the largest weight: |C|^2 = sum (w / w_max) |r|^2. The pull to the reference, which
// the lecture does not have, adds 2 / w_max times its gradient to d and nothing to the test; with the rest weight zero
// the method is the lecture's. In sum, d = 2 / w_max times the gradient of this program's f, lengths in mean links.
// Differences are forward ones, as in the lecture: one evaluation of f per coordinate.
//
// "How to determine alpha? Experiment": any fixed number is too long for some figure. With `relative`, alpha is
// therefore in units of 1 / |J|^2, the largest curvature at the start of the solve, and then stays fixed. A step that
// would raise f is rejected and ends the solve. Iterates are projected into the joint limits.
#pragma once

#include "limber/solvers/typed_solver.h"

namespace limber {

struct FixedStepDescentOptions {
  double alpha = 0.5;             ///< > 0: the step is alpha d
  bool relative = true;           ///< alpha in units of 1 / |J|^2 at the start; else absolute
  bool finiteDifference = false;  ///< d by forward differences; else by the chain rule
  double differenceStep = 1e-6;   ///< radians, mean link lengths
  double epsilon = 1e-6;          ///< stop when |C|^2 <= epsilon, squared mean link lengths
  int maxIterations = 1000;       ///< cap of iterations

  static const TypedSolver<FixedStepDescentOptions>& solver();
};

}  // namespace limber
