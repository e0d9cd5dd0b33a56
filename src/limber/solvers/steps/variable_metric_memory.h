// SPDX-License-Identifier: MIT
#pragma once

#include "limber/solvers/solver.h"
#include "limber/solvers/steps/active_set.h"
#include "limber/solvers/steps/projected_metric.h"

namespace limber {

/// What the variable metric solver keeps from iterate to iterate, and its temporaries. All but `turned`,
/// `trialGradient`, `along` and what follows it are in the solver's own variables x = theta / scale, with f in units of
/// `unit`.
struct VariableMetricMemory final : SolverMemory {
  ActiveSet activeSet;              ///< A_q, (A'A)^-1
  ProjectedMetric metric;           ///< H_q
  Eigen::VectorXd scale;            ///< (active x 1), theta = scale * x: the compliance 1 - rigidity of each coordinate
  double unit = 1.0;                ///< f of the problem / f of the solver
  bool isFresh = true;              ///< H_q is the projection alone: nothing has been learnt yet
  int idle = 0;                     ///< iterations in a row in which f fell by no more than rounding
  Eigen::VectorXd gradient;         ///< (active x 1), g
  Eigen::VectorXd direction;        ///< (active x 1), s = -H g
  Eigen::VectorXd alpha;            ///< (active x 1), the first q: multipliers of the columns of A_q
  Eigen::VectorXd sigma, change;    ///< (active x 1), sigma and y
  Eigen::VectorXd normal, free;     ///< (active x 1), a and P a
  Eigen::VectorXd trialGradient;    ///< (active x 1), of f at the trial, by theta
  Eigen::VectorXd keptGradient;     ///< (active x 1), the same at the trial that the line search keeps
  Eigen::VectorXd turned, other;    ///< (active x 1), normals by theta
  std::vector<char> isImplied;      ///< one a limit: depends on those that hold
  std::vector<char> ignored;        ///< one a limit: holds, or is implied
  std::vector<int> held;            ///< limits, a copy while the set changes
  FreeSpace space;                  ///< at a place where more limits meet than there are directions
  Eigen::VectorXd along;            ///< (active x 1), by theta: a step, a direction or a gradient, relieved
  std::vector<Residual> residuals;  ///< one a goal: J times a direction
  Evaluation spare;                 ///< at the trial that the line search keeps
  Pose sparePose;
};

}  // namespace limber
