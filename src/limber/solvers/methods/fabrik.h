// SPDX-License-Identifier: MIT
// FABRIK, forward and backward reaching (Aristidou and Lasenby 2011), for trees of ball joints and for planar chains.
//
// Links that no active joint parts are one body, with its joint's centre p and its ends x_k: the centres of the bodies
// hung on it, and the goals' points. One iteration:
//
//   backward   from the tips: an end wanted at t wants the centre at  t + |x - p| (p - t) / |p - t|;  of several ends
//              (a sub-base) the centroid of what they want, by the weights of the goals below
//   forward    from the fixed roots: with its centre where the parent's body puts it, each body turns so that its end
//              points at what the backward pass wanted of it, by the shortest turn; several ends by least squares of
//              the distances (solvers/steps/best_rotation.h). That places the centres of the next bodies
//
// So a joint's rotation comes out of the body's turn, the twist about a bone stays what it was, and lengths are kept by
// construction. A target beyond the reach of an unbranched chain is not iterated for: the chain is laid straight at it.
// In a planar figure points and targets are taken in its plane.
//
// FABRIK looks at the goals alone: the pull to the reference plays no part, and f may rise by it. Iterates are
// projected into the joint limits, of which the passes know nothing. A chain that lies in one line with its target has
// no way to bend.
#pragma once

#include "limber/solvers/typed_solver.h"

namespace limber {

struct FabrikOptions {
  int maxIterations = 500;  ///< cap of iterations
  double tolerance = 1e-5;  ///< converged when every point is this near its target, mean link lengths
  double rest = 1e-7;       ///< also converged when no joint moves by more in an iteration, radians

  static const TypedSolver<FabrikOptions>& solver();
};

}  // namespace limber
