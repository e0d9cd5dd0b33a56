// SPDX-License-Identifier: MIT
// The limits of a feasible set as the variable metric method meets them: unit normals in its own variables, how far a
// step may go, and how a pose stays on the limits that hold.
//
// Limits of scalars are flat. Those of a limited ball are curved: a step along the boundary leaves it by a second-order
// amount and is brought back (`hold`), and the normal turns with the ball.
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

class Boundary {
 public:
  /// The objective and the workspace must outlive it.
  Boundary(const Objective& objective, VariableMetricMemory& workspace)
      : objective_(objective), set_(objective.feasibleSet()), workspace_(workspace) {}

  int count() const { return set_.constraintCount(); }
  bool isEquality(int limit) const { return set_.isEquality(limit); }
  bool isCurved(int limit) const;
  /// True when the pose stands on the limit.
  bool touches(const Pose& pose, int limit) const { return set_.slack(pose, limit) <= kTouching; }

  /// a (active x 1): unit outward normal in the solver's variables.
  void normal(const Pose& pose, int limit, Eigen::VectorXd& a) const;

  /// The longest gamma <= upTo for which the pose moved by gamma * step (active x 1, by theta) is within all limits
  /// that neither hold nor are implied by those. `blocking` is the limit met, -1 when it is upTo.
  double longestStep(const Pose& pose, const Eigen::VectorXd& step, double upTo, int& blocking) const;

  /// The limits that the projection of -gradient (by theta) onto all directions that stay inside leans on, by kind and
  /// joint: those of them that hold for certain, wherever limits meet in more ways than there are directions.
  void findLeaning(const Pose& pose, const Eigen::VectorXd& gradient, std::vector<int>& limits) const;

  /// Puts a pose that has moved along the held limits, and to `reached` (-1: none), exactly onto them.
  void hold(int reached, Eigen::VectorXd& fullStep, Pose& pose) const;

  /// Takes out of a gradient by theta what the curved limits that hold push back, at a pose on them.
  void relieve(const Pose& pose, Eigen::VectorXd& gradient) const;

  static constexpr double kTouching = 1e-13;  ///< radians (metres): rounding of a pose

 private:
  bool pushOut(int limit, const Pose& pose, Eigen::VectorXd& push) const;

  const Objective& objective_;
  const FeasibleSet& set_;
  VariableMetricMemory& workspace_;
};

}  // namespace limber
