// SPDX-License-Identifier: MIT
// GDLS+NM, the assignment's hybrid: gradient descent, then Newton's method from its answer; the answer with the lower f
// is returned. With joint limits the descent is projected onto them, and the Newton steps are those of the default
// solver (solvers/methods/globalised_newton.h) on the coordinates that no limit holds.
#pragma once

#include "limber/solvers/typed_solver.h"

namespace limber {

struct GdlsThenNewtonOptions {
  int gdlsIterationsPerCoordinate = 10;  ///< for all members see GradientDescentOptions and NewtonsMethodOptions
  double alphaInit = 1e-4;
  double gdlsTol = 1e-6;  ///< radians, mean link lengths
  bool carryAlpha = true;
  int nmIterationsPerCoordinate = 10;
  double nmTol = 1e-6;  ///< radians, mean link lengths
  bool forwardDifferences = false;

  static const TypedSolver<GdlsThenNewtonOptions>& solver();
};

}  // namespace limber
