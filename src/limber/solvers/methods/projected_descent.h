// SPDX-License-Identifier: MIT
// What solvers that descend along projected directions share: the gradient within what the limits leave free, a line
// search on the way that limits bend (solvers/steps/line_search.h), restarts, and when to end. A solver brings its
// directions.
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
  Eigen::VectorXd image, trial, taken;  ///< (active x 1), P (H + C) d, gamma d, what limits left of it
  FlatnessMemory flatness;
  std::vector<char> free;              ///< (active), what the limits leave free, while blocked coordinates are held
  std::vector<char> held, heldBefore;  ///< which limits hold here, and held at the iterate before
  bool isFresh = true;                 ///< the next direction, or the one in use, is -z
  int idle = 0;                        ///< iterations in a row in which f fell by no more than rounding
};

class ProjectedDescent {
 public:
  ProjectedDescent(const Objective& objective, const Pose& pose, Workspace& workspace, SolveLoop& loop,
                   ProjectedDescentMemory& memory)
      : objective_(objective), pose_(pose), workspace_(workspace), loop_(loop), own_(memory) {}

  /// Repeats: directions.findDirection(), which returns the first step to try along own.direction and may ask for -z by
  /// own.isFresh; line search; directions.learn(). Ends where |P g| in the metric is `tolerance`, or where f falls by
  /// no more than rounding; as converged if f is flat there, whatever has been learnt of it.
  template <class Directions>
  SolveStatus iterate(Directions& directions, int maxIterations, double tolerance);

  /// To the minimum of the parabola along d with the exact Hessian; the longest step where it has none.
  double parabolaStep();
  double longestStep() const { return kMaxStep / stepNorm(objective_, own_.direction); }

  /// Sets those coordinates of d to zero that would cross a limit on which they stand. True when there were any.
  bool dropBlocked();

 private:
  void begin();
  double takeGradient();
  bool advance(double firstStep);
  bool isAtMinimum();

  static constexpr double kMaxStep = 1.0;  // radians or mean link lengths: beyond, curvature here means little
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
