// SPDX-License-Identifier: MIT
// SDP-IK (Yenamandra and others 2019): finds the pose that brings points nearest to their targets, without a start.
//
//   1. The relaxation (relaxation.h) is solved; each frame has a matrix R_j that is a mean of rotations.
//   2. Its angles are extracted in two ways, K the relative rotation in the joint's axes (a, b, c):
//        both projected    K = P(R_p)' P(R_j),  P the nearest rotation
//        from the root     K = F_p' R_j,        F_p the parent's rotation by the angles above it
//      theta = atan2(K_cb - K_bc, K_bb + K_cc), clamped to the limits; balls are projected into theirs.
//   3. Each pose is aligned with the targets if its root is free (Kabsch), and refined by the bounded
//      Levenberg-Marquardt method. The lower f is kept.
//   4. If that is not an exact fit, and the relaxation's bound does not exclude one, the same is done with its hull
//      form: ten times slower, and needed by a few poses in a hundred.
//
// Deterministic. Only the inactive joints of the given pose are used. Goals other than positions, couplings and linear
// limits are left to the refinement: in the relaxation a follower moves independently, so that it remains a relaxation.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "limber/solvers/convex/interior_point.h"
#include "limber/solvers/convex/point_goals.h"
#include "limber/solvers/solver.h"

namespace limber {

struct GlobalOptions {
  InteriorPointOptions relaxation;
  double tolerance = 1e-9;  ///< the refinement ends when the predicted decrease is at most this fraction of f
  int maxIterations = 100;  ///< of one refinement
};

struct GlobalSummary {
  InteriorPointSummary relaxation;  ///< of the form that was solved last
  bool tookHull = false;            ///< the hull form was solved
  Summary refinement;               ///< of the pose that is kept; BadInput if there was nothing to refine
};

/// The relaxation of "which pose of the active coordinates brings these points nearest to their targets". Followers
/// move independently; inactive joints stay as in `around`.
Relaxation relaxationOf(const Objective& objective, const Limits& limits, const Pose& around,
                        std::span<const PointGoal> points, RelaxationForm form = RelaxationForm::Compact);

/// Empty, or why the relaxation does not support an objective: no goal has a position, or an active joint above a goal
/// slides, or is free but not a root. "<title> needs a position goal".
std::string refuseForRelaxation(const Objective& objective, std::string_view title);

/// The feasible set's limits that the relaxation supports: those of scalars without couplings or linear limits. inside:
/// a pose within them.
Limits intervalsOf(const Objective& objective, const Pose& inside);

/// Sets active joints to rest, or as near as the limits allow, and aligns free roots with the targets, so that the pose
/// no longer depends on the old values of those joints. kinematics, pairs: scratch.
void toNeutral(const Objective& objective, std::span<const PointGoal> points, Kinematics& kinematics,
               std::vector<PointPair>& pairs, Pose& pose);

/// Made once per figure, points and active coordinates of an objective; solves for any targets of its goals.
class GlobalMethod {
 public:
  /// limits: those of the objective's feasible set.
  GlobalMethod(const Objective& objective, const Limits& limits, const Pose& around);
  ~GlobalMethod();
  GlobalMethod(GlobalMethod&&) noexcept;
  GlobalMethod& operator=(GlobalMethod&&) noexcept;

  /// Empty, or why the method does not support the objective: there is no position goal, or Relaxation::fault().
  const std::string& fault() const;
  const Relaxation& relaxation() const;
  /// The goals as points of the relaxation; with the targets of the last call.
  std::span<const PointGoal> points() const;

  /// objective: the one given to the constructor, except for the goals' targets. out: the pose of the lowest f;
  /// unchanged if there is a fault or a target is not finite.
  GlobalSummary solve(const Objective& objective, Pose& pose, const GlobalOptions& options = {});

  // The first two steps separately, for callers with their own refinement.

  /// BadInput if there is a fault or a target is not finite.
  InteriorPointSummary relax(const Objective& objective, const InteriorPointOptions& options = {},
                             const InteriorPointObserver& observer = {}, RelaxationForm form = RelaxationForm::Compact);
  /// A pose from the last relaxation: angles extracted, within the limits, aligned with the targets.
  void round(const Objective& objective, bool fromRoot, Pose& pose);
  /// The largest rank of E[q q'] (relaxation.h) over the frames of the last relaxation. 1: each R_j is a rotation, and
  /// the solution is a pose.
  int rank() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace limber
