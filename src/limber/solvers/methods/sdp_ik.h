// SPDX-License-Identifier: MIT
// SDP-IK, the method of Yenamandra, Bernard, Wang, Mueller and Theobalt, "Convex Optimisation for Inverse Kinematics"
// (2019), unmodified: one convex relaxation instead of a start, and no random poses.
//
//   1. The paper's relaxation (14) is solved to 1e-7 (solvers/convex/interior_point.h).
//   2. Its matrices R_j are projected onto rotations, and angles within the limits are extracted in two ways
//      (solvers/convex/global_pose.h).
//   3. Each result is refined by the trust-region method (solvers/methods/trust_region.h) on the objective itself. The
//      lowest f wins; the given pose is returned if nothing is lower.
//   4. If the bound does not prove that pose to be the best, the relaxation is solved once more in its hull form, which
//      is tighter (solvers/convex/relaxation.h). This gives another bound and two more starts.
//
// Summary::relaxation describes the relaxation that was solved last:
//
//   rank   of E[q q'] of each frame's unit quaternion q, the largest; eigenvalues below 1e-3 count as zero. It is 1
//          where each R_j is a rotation: the rank constraints, which the relaxation drops, then hold, and its
//          solution is a pose.
//   tight  f(pose) - bound <= max(1 % of f(pose), 1e-6 L^2) for the mean square distance f of the positions and L half
//          the reach, as in solvers/convex/certificate.h: no pose within the limits brings the points nearer by more
//          than that.
//
// A relaxation of rank 1 is tight. A tight relaxation has a higher rank if several poses are best: an interior-point
// method finds a mean of them.
//
// Deterministic. The given pose has the values of inactive joints, and the answer is never worse than it.
#pragma once

#include "limber/solvers/typed_solver.h"

namespace limber {

struct SdpIkOptions {
  bool tightens = true;      ///< solve the hull form if the paper's relaxation does not prove the pose to be the best
  int maxIterations = 1000;  ///< cap of one refinement

  static const TypedSolver<SdpIkOptions>& solver();
};

}  // namespace limber
