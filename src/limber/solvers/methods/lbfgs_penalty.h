// SPDX-License-Identifier: MIT
// L-BFGS on equation 16 of Yenamandra et al. (Convex Optimisation for Inverse Kinematics, 2019), which takes joint
// limits as springs beside the goals:
//
//   F(q) = f(q) + c lambda sum over limits of distance(q, limit)^2,    lambda = 100
//
// c is what a goal's squared distance counts in f, half the largest weight, as it counts once in the paper
// (solvers/steps/limit_penalty.h). Directions are those of solvers/steps/limited_memory.h without any limit, steps by
// Armijo's rule (solvers/steps/line_search.h); defaults are Manopt's, which the paper uses: 30 pairs, 1000 iterations,
// |g| <= 1e-6.
//
// On its way the pose may overstep limits, by no more than  sqrt(F(start) / (c lambda)),  and F never rises; records of
// its iterations are of F. The paper returns the pose as it then is. Here it is brought inside the limits at the end
// (at the end of every slice, too: the next one goes on outside), the summary speaks of f there, and says by how much
// limits were overstepped. Where that is worse than the start, the start is the answer and the solve has stalled.
#pragma once

#include "limber/solvers/typed_solver.h"

namespace limber {

struct LbfgsPenaltyOptions {
  int maxIterations = 1000;  ///< cap of iterations
  double tolerance = 1e-6;   ///< converged when |g| in the metric's norm is no longer; f per radian
  int memory = 30;           ///< past steps from which the curvature is known
  double lambda = 100.0;     ///< weight of a squared radian outside a limit, relative to a goal's squared distance

  static const TypedSolver<LbfgsPenaltyOptions>& solver();
};

}  // namespace limber
