// SPDX-License-Identifier: MIT
// The limits of a feasible set as the variable metric method meets them: unit normals in its own variables, how far a
// step may go, and how a pose stays on the limits that hold.
//
// Limits of scalars are flat. Those of a limited ball are curved: a step along the boundary leaves it by a second-order
// amount and is brought back (`hold`), and the normal turns with the ball.
#pragma once

#include "limber/solvers/steps/variable_metric_memory.h"

namespace limber {

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
