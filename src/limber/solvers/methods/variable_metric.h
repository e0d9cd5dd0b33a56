// SPDX-License-Identifier: MIT
// The solver of Zhao and Badler (1994), appendix: variable metric (BFGS, DFP) with Rosen's gradient projection over the
// set of active limits.
//
//   1  start within the limits; A_q: the active ones; H_q: H_0 with each of them added                           (32)
//   2  alpha = (A'A)^-1 A'g;  stop when H g = 0 and no inequality has alpha > 0: a Kuhn-Tucker point
//   3  q: the inequality with the largest alpha_q alpha_qq^(-1/2);  while |H g| <= 1/2 of that, drop it, go to 2   (30)
//      (the paper prints alpha_qq^(1/2) in one place; the power here is that of Goldfarb 1969)
//   4  s = -H g;  lambda: distance to the next limit;  line search to at most min(1, lambda)                       (31)
//   5  if the step ends on that limit, add it, go to 2                                                            (32)
//   6  else BFGS or DFP from sigma = gamma s and y, the change of g                                           (33, 34)
//
// It works in variables theta_k / c_k, with c_k = 1 - rigidity for angles and (1 - rigidity) * L for lengths, L the
// mean link length: section 11's scaling, the same as H_0 = diag c^2. c follows from the weights of the objective's
// first regulariser; if these are zero, every rigidity counts as zero. f is measured in units of that regulariser's
// weight (without one, of the curvature along the first gradient): H_0 = I is then its inverse Hessian, and so is the 1
// by which (30) frees the direction of a dropped limit. No step turns a joint by more than a radian.
//
// Rotations are tangent steps: H is carried along unchanged in the link's own axes. A limit of a ball is curved. A step
// along it is projected back onto it, and when its normal turns it is dropped by (30) and added again by (32) with the
// new normal; y is then the change of g minus the forces of these limits, so that H also learns their curvature.
//
// Every iterate is within the limits and f never rises. An iteration costs O(n^2), and as much again for each curved
// limit that turns. A dependent limit is implied by the active ones and is left out. If f does not fall along H, the
// solver tries once more with H_0 before the solve counts as stalled. It ends at a Kuhn-Tucker point, which can be a
// saddle (the default solver leaves saddles). A ball with a limited twist and a free swing has no normal at a swing of
// pi; a solve that reaches such a pose stalls there.
#pragma once

#include "limber/solvers/typed_solver.h"

namespace limber {

struct VariableMetricOptions {
  int maxIterations = 2000;  ///< cap of iterations
  double tolerance = 1e-14;  ///< converged when f can fall by at most tolerance * f (or rounding): along H g by g'Hg,
                             ///< along P g and with any one limit dropped by the curvature of f there
  bool dfp = true;           ///< DFP (34) where sigma'y < y'Hy; else BFGS (33) always

  static const TypedSolver<VariableMetricOptions>& solver();
};

}  // namespace limber
