// SPDX-License-Identifier: MIT
// The common part of solvers that descend along projected directions: the gradient within the free space of the limits,
// a line search along the projected path (solvers/steps/line_search.h), restarts, and the end of a solve. A solver
// provides its directions.
#pragma once

#include "limber/solvers/steps/bounded_step.h"
#include "limber/solvers/steps/flatness.h"
#include "limber/solvers/steps/solve_loop.h"

namespace limber {

struct ProjectedDescentMemory {
  HessianProduct product;
  Eigen::VectorXd metric;               ///< (active x 1), diagonal of M
  Eigen::VectorXd gradient, scaled;     ///< (active x 1), P g and z = P M^-1 g
  Eigen::VectorXd direction;            ///< (active x 1), d
  Eigen::VectorXd image, trial, taken;  ///< (active x 1), P (H + C) d; gamma d; gamma d cut by limits
  FlatnessMemory flatness;
  std::vector<char> free;              ///< (active), the free coordinates, while blocked ones are held
  std::vector<char> held, heldBefore;  ///< limits that are active here, and at the previous iterate
  bool isFresh = true;                 ///< the next direction, or the one in use, is -z
  int idle = 0;                        ///< iterations in a row in which f fell by no more than rounding
};

class ProjectedDescent {
 public:
  ProjectedDescent(const Objective& objective, const Pose& pose, Workspace& workspace, SolveLoop& loop,
                   ProjectedDescentMemory& memory)
      : objective_(objective), pose_(pose), workspace_(workspace), loop_(loop), own_(memory) {}

  /// Repeats: directions.findDirection(), which returns the first step to try along own.direction and may request -z by
  /// own.isFresh; line search; directions.learn(). Ends when |P g| in the metric is at most `tolerance`, or when f
  /// falls by no more than rounding; it has then converged if f is flat there, independently of what directions has
  /// learnt.
  template <class Directions>
  SolveStatus iterate(Directions& directions, int maxIterations, double tolerance);

  /// The step to the minimum of the parabola along d with the exact Hessian, or the longest step if it has no minimum.
  double parabolaStep();
  double longestStep() const { return kMaxStep / stepNorm(objective_, own_.direction); }

  /// Sets coordinates of d to zero that would leave a limit that they are on. True if there were any.
  bool dropBlocked();

 private:
  void begin();
  double takeGradient();
  bool advance(double firstStep);
  bool isAtMinimum();

  static constexpr double kMaxStep = 1.0;  // radians or mean link lengths: beyond, the curvature means little
  static constexpr int kMaxIdle = 10;

  const Objective& objective_;
  const Pose& pose_;
  Workspace& workspace_;
  SolveLoop& loop_;
  ProjectedDescentMemory& own_;
  double gamma_ = 0.0, moved_ = 0.0;
};

template <class Directions>
SolveStatus ProjectedDescent::iterate(Directions& directions, int maxIterations, double tolerance) {
  if (loop_.iterationsOfPhase() == 0) begin();
  while (loop_.iterationsOfPhase() < maxIterations) {
    if (takeGradient() <= tolerance && isAtMinimum()) return SolveStatus::Converged;
    if (own_.idle == kMaxIdle) own_.isFresh = true;
    if (own_.idle == 2 * kMaxIdle) return isAtMinimum() ? SolveStatus::Converged : SolveStatus::Stalled;
    double first = own_.isFresh ? 0.0 : directions.findDirection();
    if (own_.isFresh) {
      directions.forget();
      own_.direction = -own_.scaled;
      first = parabolaStep();
    }
    if (!advance(first)) {
      if (own_.isFresh) return isAtMinimum() ? SolveStatus::Converged : SolveStatus::Stalled;
      own_.isFresh = true;
      continue;
    }
    own_.isFresh = false;
    directions.learn();
    if (!loop_.endIteration(moved_, gamma_)) return loop_.status();
  }
  return SolveStatus::IterationCap;
}

}  // namespace limber
