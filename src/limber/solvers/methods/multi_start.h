// SPDX-License-Identifier: MIT
// "Find me any pose": the default solver from the given pose, then from random ones, until the goals are met.
//
//   run the default solver from the pose                                                  phase "first"
//   while the goals are not met and restarts are left:                                    phase "restarts"
//     run it from a random pose within the limits, and leave it as soon as it makes no headway
//   nothing met: what was left early to its end, the first run anew and the best of the rest; the lowest f wins
//
// Local methods end in local minima, which limits make many; with restarts nearly every reachable target is found, and
// a cheap early end of hopeless runs matters more than the method (compare TRAC-IK, Beeson and Ames 2015).
//
// The goals are met when every residual that has a weight is at most `tolerance`. A pull to rest keeps a minimum of f a
// little short of that. So a run that ends there is finished without the pull (solvers/steps/meet_goals.h), and where
// that fails, from where the restart began. The goals thus win over the pull. Promised is: limits hold exactly; where
// no pose meets the goals, f at the end is not above what the default solver reaches from the pose; f at the end is
// never above f at the start, unless the goals were not met there and are met now.
//
// Of `answers` poses that meet the goals the one nearest to the start wins, in the objective's metric; one from the
// first run ends the search. Random poses: scalars uniform within their limits, or within a turn where there are none
// (less in a long chain, which would curl up), balls uniform within cone and twist; free joints and what is not active
// stay.
#pragma once

#include <cstdint>

#include "limber/solvers/typed_solver.h"

namespace limber {

struct MultiStartOptions {
  int restarts = 20;        ///< most runs from random poses
  int answers = 3;          ///< restarts end when this many have met the goals
  double tolerance = 5e-6;  ///< goals are met when each |r| <= tolerance: a full pose then to 1e-5 rad
  int maxIterations = 500;  ///< cap of one run
  std::uint32_t seed = 1;   ///< of the random poses

  static const TypedSolver<MultiStartOptions>& solver();
};

}  // namespace limber
