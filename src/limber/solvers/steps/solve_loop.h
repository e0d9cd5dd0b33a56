// SPDX-License-Identifier: MIT
// The bookkeeping of every solver's loop: counting, recording, cancelling.
#pragma once

#include "limber/solvers/solver.h"

namespace limber {

/// One call of Solver::solve: its bookkeeping is in Workspace::progress, so that it can be resumed.
class SolveLoop {
 public:
  /// Projects the pose, evaluates f and its gradient into workspace.current, or continues where the last call stopped.
  SolveLoop(const Objective& objective, Pose& pose, Workspace& workspace, const Budget& budget, Start start,
            Observer* observer, std::span<const std::string_view> phases);

  /// False if the pose or the objective is not finite, or if no pose meets the limits.
  bool isSound() const { return sound_; }

  /// Evaluates f at workspace.trialPose into workspace.trial; with workspace.springs, f plus their energy.
  double evaluateTrial();

  /// Accepts the trial: its pose, evaluation and gradient become the current ones.
  void acceptTrial();
  /// The same with a known gradient of the trial, which is swapped with the old one.
  void acceptTrial(Eigen::VectorXd& gradient);

  /// Max-norm of the actual step from the pose to the trial in the objective's metric; limits may have cut it.
  double trialDistance() const;

  /// Counts an iteration, records it, and calls the observer. False if the solve must stop; status() says why.
  bool endIteration(double stepNorm, double damping);
  /// The same for an iterate of a nested solve with its own pose.
  bool note(const IterationRecord& record, const Pose& pose);

  /// f, its rounding and its gradient at the pose.
  double objective() const { return workspace_.current.objective; }
  double rounding() const { return workspace_.current.rounding; }
  /// Largest entry of the gradient within the free space.
  double projectedGradientNorm() const;

  int iterationsOfPhase() const { return workspace_.progress.iterations[phase()]; }
  int iterationsLeft() const { return budget_.iterations - spent_; }  ///< left of this call's budget
  bool isWarm() const { return start_ == Start::Warm; }
  bool isResumed() const { return resumed_; }  ///< the call continues the last one
  int phase() const { return workspace_.progress.phase; }
  void startPhase(int phase) { workspace_.progress.phase = phase; }

  /// The summary; a solver sets the members that only it knows: restarts, overstep, relaxation.
  Summary& summary() { return summary_; }

  SolveStatus status() const { return status_; }
  Summary finish(SolveStatus status);

 private:
  void takeGradient();

  const Objective& objective_;
  Pose& pose_;
  Workspace& workspace_;
  Budget budget_;
  Start start_;
  Observer* observer_;
  std::span<const std::string_view> phases_;
  int spent_ = 0;
  bool resumed_ = false;
  bool sound_ = true;
  Summary summary_;
  SolveStatus status_ = SolveStatus::BadInput;
};

/// Leaves all coordinates free.
void releaseLimits(FreeSpace& space);

/// Sizes an evaluation that is swapped with others during a solve, so that none allocates later.
void sizeLike(const Evaluation& current, Evaluation& other);

/// Max-norm of an active step in the objective's metric: radians, and lengths in mean link lengths.
double stepNorm(const Objective& objective, const Eigen::VectorXd& activeStep);

}  // namespace limber
