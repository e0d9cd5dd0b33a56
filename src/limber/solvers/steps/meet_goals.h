// SPDX-License-Identifier: MIT
// Completes a run whose goals are not met because of a pull. A minimum of f leaves a residual of about (weight of the
// pull) / (weight of the goals), and much more near a singular pose. This continues with the goals alone:
//
//   minimise |r(q)|^2 within the limits, by the shortest steps
//   s = -M^-1 J^T (J M^-1 J^T + lambda 1)^-1 r     M the objective's metric, J within the free space
//   |r| fell: q <- q + s, lambda shrinks;  else lambda grows
//
// At a minimum of f the offset from the pull's reference is in the range of M^-1 J^T if the pull is isotropic, and
// every step stays in it: to first order the result is the pose nearest to the reference among those that meet the
// goals. The goals take precedence over the pull, so f may rise. (Levenberg-Marquardt in its dual form: Nocedal and
// Wright, 10.3.)
#pragma once

#include <Eigen/Cholesky>
#include <span>

#include "limber/objective/objective.h"

namespace limber {

struct MeetGoalsOptions {
  double tolerance = 5e-6;           ///< goals are met when each |r| <= tolerance: mean link lengths, radians
  int maxIterations = 200;           ///< maximum number of trial steps
  std::span<const char> asked = {};  ///< per goal: 0 for goals that need not be met; empty: all must be met
  const FreeSpace* space = nullptr;  ///< all steps stay in it; null: the free space for the goals alone, at each pose
};

/// Memory of meetGoals(), sized by its first call; a call allocates nothing when warm.
struct MeetGoalsWorkspace {
  Pose pose, trialPose;
  Evaluation current, trial;  ///< with the residuals r, without shifts
  FreeSpace space;            ///< free space for the goals alone
  Eigen::MatrixXd rows;       ///< (active x m): M^-1/2 P J^T
  Eigen::MatrixXd gram;       ///< (m x m): J M^-1 J^T
  Eigen::LLT<Eigen::MatrixXd> factors;
  Eigen::VectorXd residuals, weights;  ///< (m x 1): r, (J M^-1 J^T + lambda 1)^-1 r
  Eigen::VectorXd column;              ///< (active x 1)
  Eigen::VectorXd step;                ///< (stepSize x 1)
  std::vector<Residual> forces;        ///< one per goal
};

struct MeetGoalsSummary {
  bool met = false;
  double missed = 0.0;  ///< largest |r| of a goal at the end of the run, even if the pose was rejected
  int iterations = 0;   ///< trial steps
  int evaluations = 0;  ///< of f
};

/// Largest |r| of the goals that have a weight at an evaluated pose, without the shifts of hard goals; of a one-sided
/// goal the part below zero. 0 if no goal has a weight. asked: as in the options.
double missedBy(const Objective& objective, const Evaluation& evaluation, std::span<const char> asked = {});

/// Moves a feasible pose to one that meets all goals that are asked and have a weight, within the limits. Hard and
/// one-sided goals are included (as r = 0, r >= 0, regardless of their shifts).
///
/// pose   in: preferably a minimum of f, or the start of a run; out: meets the goals, or unchanged if met is false
/// fails  met = false: |r| makes no progress (a local minimum, out of reach) or the iterations are spent
/// cost   per iteration: evaluate(), and if |r| fell, m sweeps of the tree and m^2 (active + m), for m numbers in r
MeetGoalsSummary meetGoals(const Objective& objective, Pose& pose, const MeetGoalsOptions& options,
                           MeetGoalsWorkspace& workspace);

}  // namespace limber
