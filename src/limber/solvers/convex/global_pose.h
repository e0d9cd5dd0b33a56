// SPDX-License-Identifier: MIT
// SDP-IK (Yenamandra and others 2019): the pose that brings points nearest to their targets, without a start.
//
//   1. The relaxation (relaxation.h) is solved; each frame has a matrix R_j that is a mean of rotations.
//   2. Its angles are read off in two ways, K the relative rotation in the joint's axes (a, b, c):
//        both projected    K = P(R_p)' P(R_j),  P the nearest rotation
//        from the root     K = F_p' R_j,        F_p the parent's rotation as the angles above it make it
//      theta = atan2(K_cb - K_bc, K_bb + K_cc), brought within the limits; balls are projected into theirs.
//   3. Each is laid onto the targets as a whole where its root is free (Kabsch), and refined by the bounded
//      Levenberg-Marquardt method. The lower f is kept.
//   4. Where that is no exact fit, and the relaxation's bound leaves one open, the same is done from its hull form:
//      ten times slower, and asked for by few poses in a hundred.
//
// Deterministic. The pose that goes in says where the joints stand that may not move, and nothing else. Goals that ask
// for no place are left to the refinement, and so is what ties joints together: a follower turns by itself in the
// relaxation, which leaves that a relaxation.
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
  double tolerance = 1e-9;  ///< the refinement ends when what a step promises is at most this part of f
  int maxIterations = 100;  ///< of one refinement
};

struct GlobalSummary {
  InteriorPointSummary relaxation;  ///< of the form solved last
  bool tookHull = false;            ///< that was the hull form
  Summary refinement;               ///< of the pose that is kept; BadInput when there was nothing to refine
};

/// The relaxation of "which pose of the active coordinates brings these points nearest": what moves with others is let
/// go, all else stays as in `around`.
Relaxation relaxationOf(const Objective& objective, const Limits& limits, const Pose& around,
                        std::span<const PointGoal> points, RelaxationForm form = RelaxationForm::Compact);

/// Empty, or why the relaxation cannot take an objective: no goal asks for a place, or a joint that may move one
/// slides, or is free and no root. "<title> needs a position goal".
std::string refuseForRelaxation(const Objective& objective, std::string_view title);

/// The limits as the feasible set has them, as far as the relaxation knows them: scalars that nothing ties. inside: a
/// pose within them.
Limits intervalsOf(const Objective& objective, const Pose& inside);

/// Joints that may move at rest, as near to it as the limits allow, free roots laid onto the targets: the pose no
/// longer depends on where those joints stood. kinematics, pairs: scratch.
void toNeutral(const Objective& objective, std::span<const PointGoal> points, Kinematics& kinematics,
               std::vector<PointPair>& pairs, Pose& pose);

/// Made once for an objective's figure, points and active coordinates; solves for any targets of its goals.
class GlobalMethod {
 public:
  /// limits: those of the objective's feasible set.
  GlobalMethod(const Objective& objective, const Limits& limits, const Pose& around);
  ~GlobalMethod();
  GlobalMethod(GlobalMethod&&) noexcept;
  GlobalMethod& operator=(GlobalMethod&&) noexcept;

  /// Empty, or why the method cannot take the objective: no goal asks for a place, or Relaxation::fault().
  const std::string& fault() const;
  const Relaxation& relaxation() const;
  /// The goals as the relaxation sees them; targets as of the last call.
  std::span<const PointGoal> points() const;

  /// objective: as it was made with, but for the goals' targets. out: of the lowest f that was found; it stays as it is
  /// where there is a fault or a target is not finite.
  GlobalSummary solve(const Objective& objective, Pose& pose, const GlobalOptions& options = {});

  // Its first two steps one by one, for those that refine by themselves.

  /// BadInput where there is a fault or a target is not finite.
  InteriorPointSummary relax(const Objective& objective, const InteriorPointOptions& options = {},
                             const InteriorPointObserver& observer = {}, RelaxationForm form = RelaxationForm::Compact);
  /// Of the relaxation solved last: its angles read off, within the limits, laid onto the targets.
  void round(const Objective& objective, bool fromRoot, Pose& pose);
  /// Of the relaxation solved last: the largest rank of E[q q'] (relaxation.h) over its frames. 1: each R_j is a
  /// rotation, and what was found is a pose.
  int rank() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace limber
