// SPDX-License-Identifier: MIT
// A problem as general optimisers take it: f(x) and its exact gradient between bounds, at times under linear rows, and
// as residuals with their Jacobian.
#pragma once

#include <memory>
#include <random>

#include "bench/peers/contest.h"

namespace limber::bench {

class Function {
 public:
  virtual ~Function() = default;

  int size() const { return static_cast<int>(lower.size()); }
  virtual void setProblem(const Problem& problem) = 0;
  virtual void readPose(const Pose& pose, double* x) const = 0;
  virtual void writePose(const double* x, Pose& pose) const = 0;
  /// gradient (size) or null.
  virtual double evaluate(const double* x, double* gradient) = 0;
  /// f = 1/2 |residual|^2. jacobian (residualSize x size, row-major) or null.
  virtual int residualSize() const = 0;
  virtual void evaluateResidual(const double* x, double* residual, double* jacobian) = 0;
  /// At the x evaluated last: nothing more is asked. Never true where the least f itself is.
  virtual bool isSolved() const = 0;
  virtual void drawStart(std::mt19937& random, double* x) = 0;

  Eigen::VectorXd lower, upper;
  Eigen::MatrixXd rows;  ///< rows x <= rowBounds
  Eigen::VectorXd rowBounds;
  double typical = 1.0;     ///< of f far from its minimum: methods whose first step is the gradient divide by it
  bool hasRestarts = true;  ///< another start is as good as the given one
};

/// The function that says it best: targets of hinges in tight loops, planar chains in tighter ones, else the objective.
/// Null when the task has coordinates that are not scalars.
std::unique_ptr<Function> makeFunction(const Task& task);

}  // namespace limber::bench
