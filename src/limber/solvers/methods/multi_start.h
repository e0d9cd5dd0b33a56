// SPDX-License-Identifier: MIT
// "Find me any pose": the default solver from the given pose, then from random ones, until the goals are met.
//
//   run the default solver from the pose                                                  phase "first"
//   while the goals are not met and restarts are left:                                    phase "restarts"
//     run it from a closed form's pose of the arm that the goal moves, if it has one, then from a random pose within
//     the limits, and stop it early if it makes no progress
//   not met: continue the first run and the best of the others if they were stopped early; the lowest f wins
//
// Local methods end in local minima, and limits create many of them. With restarts nearly every reachable target is
// found, and a cheap early end of hopeless runs matters more than the method (compare TRAC-IK, Beeson and Ames 2015).
//
// The goals are met when every residual that has a weight is at most `tolerance`. A pull to rest keeps a minimum of f
// slightly short of that. A run that ends there is therefore finished without the pull (solvers/steps/meet_goals.h),
// or, if that fails, from the start of the run. The goals thus take precedence over the pull. Guarantees: limits hold
// exactly; if no pose meets the goals, f at the end is at most that of the default solver from the given pose; f at the
// end is never above f at the start, unless the goals were not met there and are met now.
//
// Of `answers` poses that meet the goals the one nearest to the start wins, in the objective's metric; one from the
// first run ends the search. Random poses: scalars uniform within their limits, or within a turn without limits (less
// in a long chain, which would curl up), balls uniform within cone and twist; free and inactive joints stay.
#pragma once

#include <cstdint>

#include "limber/solvers/typed_solver.h"

namespace limber {

struct MultiStartOptions {
  int restarts = 20;        ///< maximum number of runs from random poses
  int answers = 3;          ///< restarts end when this many runs have met the goals
  double tolerance = 5e-6;  ///< goals are met when each |r| <= tolerance: a full pose then to 1e-5 rad
  int maxIterations = 500;  ///< cap of one run
  std::uint32_t seed = 1;   ///< seed of the random poses

  static const TypedSolver<MultiStartOptions>& solver();
};

}  // namespace limber
