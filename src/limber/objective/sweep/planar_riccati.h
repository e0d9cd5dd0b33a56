// SPDX-License-Identifier: MIT
// The Newton step of a planar chain by dynamic programming, from the last hinge to the first: the value of what lies
// beyond a hinge is a quadratic in how far the segment before it turns (a, alpha) and its hinge shifts (C, beta; b ties
// the two). Its pivots are those of the Hessian over the joint angles in an order that needs no pivoting, so the
// verdict is always sound, and the cost does not depend on the number of goals. Half as fast as the sweeps of
// objective/sweep/planar_system.h, which fall back on it.
#pragma once

#include <vector>

#include "limber/objective/sweep/planar_chain.h"
#include "limber/objective/sweep/planar_kernels.h"

namespace limber {

/// A chain folded at its middle (objective/sweep/planar_fold.h).
inline bool isFolded(const PlanarRows& rows) { return rows.lanes == 2; }
/// Segments that have a place, those that fill up what the chain leaves included.
inline int placeCount(const PlanarRows& rows) { return rows.rows * rows.lanes - (isFolded(rows) ? 1 : 0); }

/// Where segment i stands in an array of the rows.
inline int placeOf(const PlanarRows& rows, int i) {
  if (isFolded(rows)) {
    const bool isRight = i >= rows.rows;
    const int step = isRight ? placeCount(rows) - 1 - i : i;
    return step / 2 * 4 + step % 2 + 2 * isRight;
  }
  return i % rows.rows * rows.lanes + i / rows.rows;
}

/// Where the segment before segment i stands, i > 0, which stands at `at`.
inline int placeBefore(const PlanarRows& rows, int i, int at) {
  return !isFolded(rows) && at >= rows.lanes ? at - rows.lanes : placeOf(rows, i - 1);
}

/// f(i, place of segment i) for each, from the base on, those that fill up included; or back to it.
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

  /// What a step answers to: residuals, one a goal, and moments of the hinges, in the order of the rows.
  struct Load {
    const std::vector<Eigen::Vector2d>& residuals;
    const double* moments;  ///< null: those of the pull to rest
  };

  /// Factors H + damping, its curvature weighed by multipliers (one a goal), and carries the load to the base. False,
  /// and nothing to roll out, when it is not positive definite.
  bool sweep(const PlanarChain& chain, const PlanarRows& rows, const PlanarAngles& angles,
             const std::vector<Eigen::Vector2d>& multipliers, double damping, const Load& load);

  /// The step, after sweep(): `turns` of the hinges and `directions` of the segments, in the order of the rows; what
  /// the residuals become to first order, one a goal.
  void rollOut(const PlanarChain& chain, const PlanarRows& rows, const PlanarAngles& angles, const Load& load,
               double* turns, double* directions, std::vector<Eigen::Vector2d>& linear) const;

 private:
  struct Gain {
    double turn, x, y, moment, inverse;  ///< hinge turn = -(moment + turn * dx + (x, y) . dq) * inverse
  };
  std::vector<Gain> gains_;     ///< one a hinge
  std::vector<int> goalOrder_;  ///< by segment, the last one first
};

}  // namespace limber
