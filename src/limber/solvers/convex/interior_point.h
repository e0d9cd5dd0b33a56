// SPDX-License-Identifier: MIT
// A primal-dual interior-point method for the relaxation (relaxation.h): with x all unknowns, the semidefinite blocks
// S_b(x) = F_b + A_b x and their multipliers Z_b,
//
//   minimise  f(x) = 1/2 x'Px + q'x + c   with  S_b(x) >= 0;      dual residual  r = Px + q - sum_b A_b' Z_b
//
// Each iteration takes Mehrotra's two steps along the direction of Helmberg, Rendl, Vanderbei and Wolkowicz, Kojima,
// Shindoh and Hara, and Monteiro (HKM), for S Z = sigma mu I:
//
//   M dx = -(Px + q) + sum_b A_b' (sigma mu S^-1 - sym(S^-1 dS' dZ')),   M = P + sum_b A_b' (S^-1 (A_b .) Z)
//   dS = A dx,   dZ = sigma mu S^-1 - Z - sym(S^-1 dS Z) - sym(S^-1 dS' dZ')
//
// dS', dZ' those of the first step, sigma = (mu'/mu)^2 as far as it gets. S stays exact: only the dual is infeasible,
// and its steps make r shrink. Where f is linear (the hull form) x and Z have step lengths of their own, else one for
// both. M couples a frame with its parent alone: its unknowns are eliminated from the leaves to the roots, which leaves
// each parent a matrix over what it passes on (12 numbers, of the hull form 24). An iteration takes time in proportion
// to the number of frames, and nothing is factorised as a whole.
//
// The lower bound holds for what was computed, not for an optimum that it stands near. For any feasible x' with
// |x'_i| <= b_i, and Z >= 0 whatever its residual,
//
//   f(x') >= f(x) - sum <S, Z> - r'x - sum_i |r_i| b_i
//
// b = 1 for rotations, cosines and sines; places are bounded by the reach, the shift of a free root too, which is best
// within the reach of the mean target. Taken off besides: what breaking ties may cost, the slack of unknowns that are
// held because no pose moves them (facial_reduction.h), and far more than rounding can have added.
#pragma once

#include <functional>
#include <memory>

#include "limber/solvers/convex/relaxation.h"

namespace limber {

struct InteriorPointOptions {
  double tolerance = 1e-4;  ///< ends at gap <= tolerance * (length^2 + value); > 0. The bound is lower
                            ///< than value - gap by what the tie-break and rounding may take
  double tieBreak = 1e-3;   ///< e >= 0: adds e * mean over hinges of 1 - cos(theta - middle), where the cosine and sine
                            ///< tell theta. Without it ends alone leave many an optimum, and the mean of all is found
  int maxIterations = 40;
};

enum class InteriorPointStatus {
  Converged,
  IterationCap,
  Stalled,    ///< no step keeps the blocks positive definite in double precision
  Cancelled,  ///< by the observer
  BadInput,   ///< the relaxation has a fault, or no target was set
};

struct InteriorPointSummary {
  InteriorPointStatus status = InteriorPointStatus::BadInput;
  int iterations = 0;
  double value = 0.0;       ///< f, square metres, without what breaks ties
  double lowerBound = 0.0;  ///< of f over all poses within the limits, square metres; negative when it tells nothing
};

/// Told after every iteration how far it got; false ends the solve.
using InteriorPointObserver = std::function<bool(const InteriorPointSummary&)>;

struct InteriorPointMethod;

/// Memory and work of the method; made once for a relaxation, used for any targets of it, by one
/// thread at a time.
class InteriorPoint {
 public:
  explicit InteriorPoint(const Relaxation& relaxation);
  ~InteriorPoint();
  InteriorPoint(InteriorPoint&&) noexcept;
  InteriorPoint& operator=(InteriorPoint&&) noexcept;

  /// relaxation: the one that it was made for, or a copy with other targets.
  InteriorPointSummary solve(const Relaxation& relaxation, const InteriorPointOptions& options = {},
                             const InteriorPointObserver& observer = {});

  // Of the last solve, one a frame: R_j as it was found, within the mean of rotations; cosine and sine of a hinge.
  Eigen::Matrix3d rotation(int frame) const;
  Eigen::Vector2d cosineAndSine(int frame) const;

 private:
  std::unique_ptr<InteriorPointMethod> method_;
};

}  // namespace limber
