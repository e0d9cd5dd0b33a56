// SPDX-License-Identifier: MIT
// The Newton step of a planar chain by dynamic programming (a Riccati recursion) from the last hinge to the first. The
// cost of the chain beyond a hinge is a quadratic function of the turn of the segment before it (a, alpha) and the
// displacement of the hinge (C, beta), with the mixed term b. The pivots are those of the Hessian over the joint angles
// in an order that needs no pivoting, so their signs are reliable, and the time does not depend on the number of goals.
// Half as fast as the sweeps of objective/sweep/planar_system.h, which fall back on it.
#pragma once

#include <vector>

#include "limber/objective/sweep/planar_chain.h"
#include "limber/objective/sweep/planar_kernels.h"

namespace limber {

/// True for a chain that is folded at its middle (objective/sweep/planar_fold.h).
inline bool isFolded(const PlanarRows& rows) { return rows.lanes == 2; }
/// Number of segments with a place in the arrays, padding included.
inline int placeCount(const PlanarRows& rows) { return rows.rows * rows.lanes - (isFolded(rows) ? 1 : 0); }

/// Index of segment i in the arrays.
inline int placeOf(const PlanarRows& rows, int i) {
  if (isFolded(rows)) {
    const bool isRight = i >= rows.rows;
    const int step = isRight ? placeCount(rows) - 1 - i : i;
    return step / 2 * 4 + step % 2 + 2 * isRight;
  }
  return i % rows.rows * rows.lanes + i / rows.rows;
}

/// Index of the segment before segment i > 0, whose own index is `at`.
inline int placeBefore(const PlanarRows& rows, int i, int at) {
  return !isFolded(rows) && at >= rows.lanes ? at - rows.lanes : placeOf(rows, i - 1);
}

/// Calls f(i, index of segment i) for all segments, padding included, from the base on; or in reverse order.
template <class F>
void forEachPlace(const PlanarRows& rows, F f) {
  if (isFolded(rows)) {
    for (int i = 0; i < placeCount(rows); ++i) f(i, placeOf(rows, i));
    return;
  }
  int i = 0;
  for (int lane = 0; lane < rows.lanes; ++lane)
    for (int row = 0; row < rows.rows; ++row) f(i++, row * rows.lanes + lane);
}
template <class F>
void forEachPlaceBack(const PlanarRows& rows, F f) {
  if (isFolded(rows)) {
    for (int i = placeCount(rows) - 1; i >= 0; --i) f(i, placeOf(rows, i));
    return;
  }
  int i = rows.rows * rows.lanes;
  for (int lane = rows.lanes - 1; lane >= 0; --lane)
    for (int row = rows.rows - 1; row >= 0; --row) f(--i, row * rows.lanes + lane);
}

class PlanarRiccati {
 public:
  void bind(const PlanarChain& chain);

  /// The right-hand side of a step: residuals by goal, and moments of the hinges in the order of the arrays.
  struct Load {
    const std::vector<Eigen::Vector2d>& residuals;
    const double* moments;  ///< null for those of the regularisers
  };

  /// Factors H + damping, with second derivatives weighed by one multiplier for each goal, and eliminates the load.
  /// False if it is not positive definite; the results after sweep() are then invalid.
  bool sweep(const PlanarChain& chain, const PlanarRows& rows, const PlanarAngles& angles,
             const std::vector<Eigen::Vector2d>& multipliers, double damping, const Load& load);

  /// The step, after sweep(): `turns` of the hinges and `directions` of the segments, in the order of the arrays;
  /// `linear` are the linearised residuals, by goal.
  void rollOut(const PlanarChain& chain, const PlanarRows& rows, const PlanarAngles& angles, const Load& load,
               double* turns, double* directions, std::vector<Eigen::Vector2d>& linear) const;

 private:
  struct Gain {
    double turn, x, y, moment, inverse;  ///< hinge turn = -(moment + turn * dx + (x, y) . dq) * inverse
  };
  std::vector<Gain> gains_;     ///< by hinge
  std::vector<int> goalOrder_;  ///< goals by segment, the last one first
};

}  // namespace limber
