// SPDX-License-Identifier: MIT
// Searches for the pose of the lowest f, independently of the start: SDP-IK and a few other starts.
//
//   1. neutral     the rest pose, its free roots aligned with the targets (Kabsch)       phase "refinement"
//   2. relaxation  one convex problem, which has no start (global_pose.h)                phase "relaxation"
//   3. angles      of the relaxation, extracted in two ways
//   4. random      poses within the limits, aligned with the targets; every second one is first solved without limits,
//                  and its angles are wrapped and clamped, so that wide limits do not block the way
//
// Each is refined by the default solver within the limits; the lowest f is kept, and an exact fit ends the search. The
// current pose is not used as a start. It has the values of inactive joints, and is the answer if nothing lower is
// found, so that f never ends above its start. Only an exact fit ends the search early; whether a better pose can exist
// is the question of a certificate (certificate.h).
//
// The relaxation has only positions; other goals, pulls, couplings, and limits of balls and of sums of joints are left
// to the refinement. If there is no relaxation (no active joint moves a point) the other starts remain. The budget of a
// call is not checked within the relaxation. A solve allocates.
#pragma once

#include <cstdint>

#include "limber/solvers/typed_solver.h"

namespace limber {

struct GlobalSearchOptions {
  int starts = 8;           ///< number of random starts
  double tolerance = 1e-6;  ///< an exact fit: f <= 1/2 tolerance^2 times the sum of all weights
  int maxIterations = 300;  ///< cap of one refinement
  std::uint32_t seed = 1;   ///< seed of the random poses

  static const TypedSolver<GlobalSearchOptions>& solver();
};

}  // namespace limber
