// SPDX-License-Identifier: MIT
// The four local methods of figure 3 of Yenamandra et al. (Convex Optimisation for Inverse Kinematics, 2019) on its
// equation 16, which adds joint limits to the goals as springs:
//
//   F(q) = f(q) + c lambda sum over limits of distance(q, limit)^2,    lambda = 100
//
// c is the weight of a goal's squared distance in f, half the largest goal weight; in the paper this weight is 1
// (solvers/steps/limit_penalty.h). The steps are those of the methods with exact limits, with F for f and all
// coordinates free: solvers/methods/trust_region.h, conjugate_gradient.h, lbfgs.h, and steepest descent,
//
//   d = -M^-1 g,   first to the minimum of the parabola along d, then by Armijo's rule (solvers/steps/line_search.h)
//
// Defaults are those of Manopt, which the paper uses.
//
// During the solve the pose may violate limits, by at most  sqrt(F(start) / (c lambda)),  and F never rises; records of
// its iterations are of F. The paper returns that pose. Here it is projected into the limits at the end (also at the
// end of each slice; the next slice continues outside), the summary has f there and the largest violation before. If
// the projected pose is worse than the start, the start is returned and the solve has stalled.
#pragma once

#include "limber/solvers/typed_solver.h"

namespace limber {

struct GradientDescentPenaltyOptions {
  int maxIterations = 1000;  ///< cap of iterations
  double tolerance = 1e-6;   ///< converged when |g| in the metric's norm is at most this; f per radian
  double lambda = 100.0;     ///< weight of a squared radian outside a limit, relative to a goal's squared distance

  static const TypedSolver<GradientDescentPenaltyOptions>& solver();
};

struct TrustRegionPenaltyOptions {
  int maxIterations = 1000;    ///< as above
  double tolerance = 1e-6;     ///< as above
  double firstRadius = 0.125;  ///< of the first step, in units of the root of the number of active coordinates
  double largestRadius = 1.0;  ///< longest step, in the same unit
  double lambda = 100.0;       ///< as above

  static const TypedSolver<TrustRegionPenaltyOptions>& solver();
};

struct ConjugateGradientPenaltyOptions {
  int maxIterations = 1000;  ///< as above
  double tolerance = 1e-6;   ///< as above
  double lambda = 100.0;     ///< as above

  static const TypedSolver<ConjugateGradientPenaltyOptions>& solver();
};

struct LbfgsPenaltyOptions {
  int maxIterations = 1000;  ///< as above
  double tolerance = 1e-6;   ///< as above
  int memory = 30;           ///< number of past steps that describe the curvature
  double lambda = 100.0;     ///< as above

  static const TypedSolver<LbfgsPenaltyOptions>& solver();
};

}  // namespace limber
