// SPDX-License-Identifier: MIT
// The end of a run whose goals a pull keeps from being met. A minimum of f leaves a residual of about (weight of the
// pull) / (weight of the goals), much more near a singular pose; without the pull the goals alone lead on:
//
//   minimise |r(q)|^2 within the limits, by the shortest steps
//   s = -M^-1 J^T (J M^-1 J^T + lambda 1)^-1 r     M the objective's metric, J within what the limits leave free
//   |r| fell: q <- q + s, lambda shrinks;  else lambda grows
//
// At a minimum of f the offset from the pull's reference lies in the range of M^-1 J^T where the pull is even, and
// every step stays in it: to first order the end is the pose nearest to the reference among those that meet the goals.
// The goals win over the pull, so f may rise. (Levenberg-Marquardt in its dual form: Nocedal and Wright, 10.3.)
#pragma once

#include <Eigen/Cholesky>
#include <span>

#include "limber/objective/objective.h"

namespace limber {

struct MeetGoalsOptions {
  double tolerance = 5e-6;           ///< goals are met when each |r| <= tolerance: mean link lengths, radians
  int maxIterations = 200;           ///< of trial steps
  std::span<const char> asked = {};  ///< one a goal: 0 for goals that need not be met; empty: all are
  const FreeSpace* space = nullptr;  ///< in which all steps stay; null: what the goals alone leave free at each pose
};

/// Memory of meetGoals(), sized by its first call; a call allocates nothing when warm.
struct MeetGoalsWorkspace {
  Pose pose, trialPose;
  Evaluation current, trial;  ///< with the residuals that count: r, without shifts
  FreeSpace space;            ///< when the goals alone pull
  Eigen::MatrixXd rows;       ///< (active x m): M^-1/2 P J^T
  Eigen::MatrixXd gram;       ///< (m x m): J M^-1 J^T
  Eigen::LLT<Eigen::MatrixXd> factors;
  Eigen::VectorXd residuals, weights;  ///< (m x 1): r, (J M^-1 J^T + lambda 1)^-1 r
  Eigen::VectorXd column;              ///< (active x 1)
  Eigen::VectorXd step;                ///< (stepSize x 1)
  std::vector<Residual> forces;        ///< one a goal
};

struct MeetGoalsSummary {
  bool met = false;
  double missed = 0.0;  ///< largest |r| of a goal at the end of the run, whether the pose was taken or not
  int iterations = 0;   ///< trial steps
  int evaluations = 0;  ///< of f
};

/// Largest |r| of the goals that have a weight at an evaluated pose, without the shifts of hard goals; of a one-sided
/// goal what is below zero. 0 where no goal has a weight.
/// `asked` as in the options.
double missedBy(const Objective& objective, const Evaluation& evaluation, std::span<const char> asked = {});

/// Moves a pose of the feasible set to one that meets all goals that are asked and have a weight, hard and one-sided
/// ones among them (met as r = 0, r >= 0, whatever their shifts), within the limits.
///
/// pose   in: best a minimum of f, or where one began; out: meets the goals, or as it was where met is false
/// fails  met = false: |r| makes no headway (a local minimum, out of reach) or the iterations are spent
/// cost   of an iteration: evaluate(), and where |r| fell m sweeps of the tree and m^2 (active + m), m numbers in r
MeetGoalsSummary meetGoals(const Objective& objective, Pose& pose, const MeetGoalsOptions& options,
                           MeetGoalsWorkspace& workspace);

}  // namespace limber
