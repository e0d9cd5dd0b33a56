// SPDX-License-Identifier: MIT
// A primal-dual interior-point method for the relaxation (relaxation.h): with the unknowns x, the semidefinite blocks
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
// dS', dZ' are those of the first step, sigma = (mu'/mu)^2 with mu' at its end. S stays exact: only the dual is
// infeasible, and its steps reduce r. If f is linear (the hull form) x and Z have separate step lengths, else a common
// one. M couples a frame only with its parent: its unknowns are eliminated from the leaves to the roots, which leaves
// each parent a matrix over its state (12 numbers, 24 in the hull form). An iteration takes time linear in the number
// of frames, and no matrix is factorised as a whole.
//
// The lower bound is valid for the computed iterate, which need not be an optimum. For any feasible x' with |x'_i| <=
// b_i, and Z >= 0 whatever its residual,
//
//   f(x') >= f(x) - sum <S, Z> - r'x - sum_i |r_i| b_i
//
// b = 1 for rotations, cosines and sines; positions are bounded by the reach, and so is the shift of a free root, which
// is optimal within the reach of the mean target. Also subtracted are the cost of breaking ties, the slack of unknowns
// that are fixed because no pose moves them (facial_reduction.h), and far more than rounding can add.
#pragma once

#include <functional>
#include <memory>

#include "limber/solvers/convex/relaxation.h"

namespace limber {

struct InteriorPointOptions {
  double tolerance = 1e-4;  ///< ends at gap <= tolerance * (length^2 + value); > 0. The bound is lower than value - gap
                            ///< by the allowance for tie-break and rounding
  double tieBreak = 1e-3;   ///< e >= 0: adds e * mean over hinges of 1 - cos(theta - middle), theta given by its cosine
                            ///< and sine. Without it, goals at the ends often have many optima, and their mean is found
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
  double value = 0.0;       ///< f, square metres, without the tie-break
  double lowerBound = 0.0;  ///< of f over all poses within the limits, square metres; negative if trivial
};

/// Called after every iteration with the progress; false cancels the solve.
using InteriorPointObserver = std::function<bool(const InteriorPointSummary&)>;

struct InteriorPointMethod;

/// Memory and work of the method; made once for a relaxation, used for any targets of it by one thread at a time.
class InteriorPoint {
 public:
  explicit InteriorPoint(const Relaxation& relaxation);
  ~InteriorPoint();
  InteriorPoint(InteriorPoint&&) noexcept;
  InteriorPoint& operator=(InteriorPoint&&) noexcept;

  /// relaxation: the one given to the constructor, or a copy with other targets.
  InteriorPointSummary solve(const Relaxation& relaxation, const InteriorPointOptions& options = {},
                             const InteriorPointObserver& observer = {});

  // Results of the last solve, one per frame: R_j, a mean of rotations; cosine and sine of a hinge.
  Eigen::Matrix3d rotation(int frame) const;
  Eigen::Vector2d cosineAndSine(int frame) const;

 private:
  std::unique_ptr<InteriorPointMethod> method_;
};

}  // namespace limber
