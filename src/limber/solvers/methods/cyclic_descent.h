// SPDX-License-Identifier: MIT
// Cyclic coordinate descent: moves one joint at a time, from the tips to the roots, to its minimum of f while all
// others stay.
//
// With p the joint, y = point - p and v = target - p of every goal below it, c its weight, and 1/2 W (q - m)^2 the pull
// to the reference:
//
//   hinge, axis a   least of  -A cos d - B sin d + 1/2 W (q + d - m)^2,  A = sum c y'(1 - a a')v,  B = sum c a.(y x v);
//                   without a pull  d = atan2(B, A), else Newton's method on this variable from the best of some starts
//   slide, axis a   d = (W (m - q) + sum c a.(v - y)) / (W + sum c)
//   ball            largest trace(R M), M = sum c y v' (solvers/steps/best_rotation.h); the pull adds w/2 R_ref', exact
//                   for small turns, and a few Newton steps on the true distance end it
//
// A hinge or slide stays in its interval, where its minimum is still exact; a ball is projected into its cone and twist
// and then descends along them. Moves that raise f are rejected. Children come before parents, so one sweep with all
// goals costs one forward-kinematics pass and a few operations per joint above each goal.
//
// Wang and Chen, "A Combined Optimization Method for Solving the Inverse Kinematics Problem of Mechanical Manipulators"
// (1991), extended to several end effectors, ball joints and the pull. It converges linearly, to a pose in which no
// single joint can lower f: a straight chain pulled along itself stays straight.
#pragma once

#include "limber/solvers/typed_solver.h"

namespace limber {

struct CyclicDescentOptions {
  int maxIterations = 1000;  ///< cap of sweeps
  double tolerance = 1e-6;   ///< converged when no joint of a sweep moves by more than this; radians, mean link lengths

  static const TypedSolver<CyclicDescentOptions>& solver();
};

}  // namespace limber
