// SPDX-License-Identifier: MIT
// FABRIK, forward and backward reaching (Aristidou and Lasenby 2011), for trees of ball joints and for planar chains.
//
// Links without an active joint between them are one body, with its joint's centre p and its ends x_k: the centres of
// its child bodies, and the goals' points. One iteration:
//
//   backward   from the tips: an end with target t asks for the centre at  t + |x - p| (p - t) / |p - t|;  several ends
//              (a sub-base): the centroid of these centres, by the weights of the goals below
//   forward    from the fixed roots: with its centre given by the parent's body, each body turns so that its end
//              points at its target of the backward pass, by the shortest turn; several ends by least squares of
//              the distances (solvers/steps/best_rotation.h). That places the centres of the next bodies
//
// A joint's rotation follows from the body's turn, the twist about a bone does not change, and lengths are kept by
// construction. A target beyond the reach of an unbranched chain needs no iterations: the chain is put straight toward
// it. In a planar figure points and targets are projected to its plane.
//
// FABRIK ignores the pull to the reference, which may make f rise. The passes ignore joint limits; iterates are
// projected into them. A chain that lies in one line with its target does not bend.
#pragma once

#include "limber/solvers/typed_solver.h"

namespace limber {

struct FabrikOptions {
  int maxIterations = 500;  ///< cap of iterations
  double tolerance = 1e-5;  ///< converged when every point is this near to its target, mean link lengths
  double rest = 1e-7;       ///< also converged when no joint moves by more than this in an iteration, radians

  static const TypedSolver<FabrikOptions>& solver();
};

}  // namespace limber
