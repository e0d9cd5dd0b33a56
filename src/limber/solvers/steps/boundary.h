// SPDX-License-Identifier: MIT
// The limits of a feasible set for the variable metric method: unit normals in its own variables, the longest step, and
// how a pose stays on the active limits.
//
// Limits of scalars are flat. Those of a limited ball are curved: a step along the boundary leaves it by a second-order
// amount and is projected back (`hold`), and the normal turns with the ball.
#pragma once

#include "limber/solvers/solver.h"
#include "limber/solvers/steps/active_set.h"
#include "limber/solvers/steps/projected_metric.h"

namespace limber {

/// State of the variable metric solver between iterates, and its temporaries. All except `turned`, `trialGradient`,
/// `along` and the members after it are in the solver's own variables x = theta / scale, with f in units of `unit`.
struct VariableMetricMemory final : SolverMemory {
  ActiveSet activeSet;              ///< A_q, (A'A)^-1
  ProjectedMetric metric;           ///< H_q
  Eigen::VectorXd scale;            ///< (active x 1), theta = scale * x: the compliance 1 - rigidity of each coordinate
  double unit = 1.0;                ///< f of the problem / f of the solver
  bool isFresh = true;              ///< H_q is only the projection, without curvature from steps
  int idle = 0;                     ///< iterations in a row in which f fell by at most rounding
  Eigen::VectorXd gradient;         ///< (active x 1), g
  Eigen::VectorXd direction;        ///< (active x 1), s = -H g
  Eigen::VectorXd alpha;            ///< (active x 1), the first q: multipliers of the columns of A_q
  Eigen::VectorXd sigma, change;    ///< (active x 1), sigma and y
  Eigen::VectorXd normal, free;     ///< (active x 1), a and P a
  Eigen::VectorXd trialGradient;    ///< (active x 1), of f at the trial with respect to theta
  Eigen::VectorXd keptGradient;     ///< (active x 1), the same at the trial that the line search keeps
  Eigen::VectorXd turned, other;    ///< (active x 1), normals with respect to theta
  std::vector<char> isImplied;      ///< per limit: implied by the active ones
  std::vector<char> ignored;        ///< per limit: active, or implied
  std::vector<int> held;            ///< limits, a copy while the set changes
  FreeSpace space;                  ///< at a pose where more limits meet than there are directions
  Eigen::VectorXd along;            ///< (active x 1), in theta: a step, a direction, or a gradient after relieve()
  std::vector<Residual> residuals;  ///< per goal: J times a direction
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
  /// True if the pose is on the limit.
  bool touches(const Pose& pose, int limit) const { return set_.slack(pose, limit) <= kTouching; }

  /// a (active x 1): unit outward normal in the solver's variables.
  void normal(const Pose& pose, int limit, Eigen::VectorXd& a) const;

  /// The longest gamma <= upTo for which the pose moved by gamma * step (active x 1, by theta) is within all limits
  /// that are neither active nor implied. `blocking` is the limit that ends the step, -1 for upTo.
  double longestStep(const Pose& pose, const Eigen::VectorXd& step, double upTo, int& blocking) const;

  /// The limits that are active in the projection of -gradient (with respect to theta) onto the tangent cone. Used
  /// where more limits meet than there are directions.
  void findLeaning(const Pose& pose, const Eigen::VectorXd& gradient, std::vector<int>& limits) const;

  /// Puts a pose that has moved along the held limits, and to `reached` (-1: none), exactly onto them.
  void hold(int reached, Eigen::VectorXd& fullStep, Pose& pose) const;

  /// Subtracts the forces of the active curved limits from a gradient with respect to theta, at a pose on them.
  void relieve(const Pose& pose, Eigen::VectorXd& gradient) const;

  static constexpr double kTouching = 1e-13;  ///< radians (metres): rounding of a pose

 private:
  bool pushOut(int limit, const Pose& pose, Eigen::VectorXd& push) const;

  const Objective& objective_;
  const FeasibleSet& set_;
  VariableMetricMemory& workspace_;
};

}  // namespace limber
