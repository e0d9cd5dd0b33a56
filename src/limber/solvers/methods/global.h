// SPDX-License-Identifier: MIT
// The pose of the lowest f that can be found, wherever the search begins: SDP-IK and a few other starts.
//
//   1. neutral     the pose of rest, its free roots laid onto the targets (Kabsch)       phase "refinement"
//   2. relaxation  one convex problem without a start (global_pose.h)                    phase "relaxation"
//   3. its angles read off in two ways
//   4. random      poses within the limits, laid onto the targets; every second one is first solved without limits,
//                  its angles wrapped and brought inside: wide limits then are no walls on the way
//
// Each is refined by the default solver within the limits; the lowest f is kept, and an exact fit ends the search. The
// pose that is there is no start; it says where the joints stand that may not move, and is kept where nothing lower is
// found: f never ends above where it began. No start ends it early because f is low enough: whether a better pose can
// exist is what a certificate says (certificate.h).
//
// The relaxation sees places; other goals, pulls, couplings and what limits balls and sums of joints are left to the
// refinement. Where there is none of it (all that could turn moves no point) the other starts remain. The budget of a
// call is not looked at within the relaxation. A solve allocates.
#pragma once

#include <cstdint>

#include "limber/solvers/typed_solver.h"

namespace limber {

struct GlobalSearchOptions {
  int starts = 8;           ///< random ones
  double tolerance = 1e-6;  ///< an exact fit: f <= 1/2 tolerance^2 times the sum of all weights
  int maxIterations = 300;  ///< cap of one refinement
  std::uint32_t seed = 1;   ///< of the random poses

  static const TypedSolver<GlobalSearchOptions>& solver();
};

}  // namespace limber
