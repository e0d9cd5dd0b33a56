// SPDX-License-Identifier: MIT
// SDP-IK, the method of Yenamandra, Bernard, Wang, Mueller and Theobalt, "Convex Optimisation for Inverse Kinematics"
// (2019), by itself: one convex relaxation instead of a start, and no random poses.
//
//   1. The paper's relaxation (14) is solved to 1e-7 (solvers/convex/interior_point.h).
//   2. Its matrices R_j are projected onto rotations, the angles read off in two ways (solvers/convex/global_pose.h)
//   and
//      brought within the limits.
//   3. Each reading is refined by the trust-region method (solvers/methods/trust_region.h) on the objective itself. The
//   lowest
//      f wins; the pose that is given stands where nothing is lower.
//   4. Where the bound leaves that pose open, the relaxation is solved once more in its hull form, which is tighter
//      (solvers/convex/relaxation.h). It has a bound and two readings of its own.
//
// What the relaxation that was solved last says (Summary::relaxation):
//
//   rank   of E[q q'] of each frame's unit quaternion q, the largest; eigenvalues below 1e-3 count as zero. It is 1
//          where each R_j is a rotation: the rank constraints, which the relaxation drops, then hold, and what it
//          found is a pose.
//   tight  f(pose) - bound <= max(1 % of f(pose), 1e-6 L^2) for the mean square distance f of the places and L half the
//          reach, as in solvers/convex/certificate.h: no pose within the limits brings the places nearer by more.
//
// A relaxation of rank 1 is tight. A tight one has a higher rank where several poses are best: an interior-point method
// finds a mean of them.
//
// Deterministic. The pose that is given says where the joints stand that may not move, and is never made worse.
#pragma once

#include "limber/solvers/typed_solver.h"

namespace limber {

struct SdpIkOptions {
  bool tightens = true;      ///< solves the hull form where the paper's relaxation leaves the pose open
  int maxIterations = 1000;  ///< cap of one refinement

  static const TypedSolver<SdpIkOptions>& solver();
};

}  // namespace limber
