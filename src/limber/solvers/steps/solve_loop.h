// SPDX-License-Identifier: MIT
// What every solver's loop needs beside its mathematics: counting, recording, stopping when told to.
#pragma once

#include "limber/solvers/solver.h"

namespace limber {

/// One call of Solver::solve: the run's bookkeeping, kept in Workspace::progress so that it can be resumed.
class SolveLoop {
 public:
  /// Projects the pose, evaluates f and its gradient into workspace.current, or goes on where the last call stopped.
  SolveLoop(const Objective& objective, Pose& pose, Workspace& workspace, const Budget& budget, Start start,
            Observer* observer, std::span<const std::string_view> phases);

  /// False when the pose or the objective is not finite, or when no pose meets the limits: nothing can be solved.
  bool isSound() const { return sound_; }

  /// Evaluates f at workspace.trialPose into workspace.trial; with workspace.springs, f plus their energy.
  double evaluateTrial();

  /// Takes the trial: pose, evaluation and gradient become the current ones.
  void acceptTrial();
  /// The same with the trial's gradient known; the old one is left in its place.
  void acceptTrial(Eigen::VectorXd& gradient);

  /// Max-norm of the way from the pose to the trial, in the objective's metric: limits may have cut the step.
  double trialDistance() const;

  /// Counts an iteration, records it, asks the observer. False when the solve must stop; status() says why.
  bool endIteration(double stepNorm, double damping);
  /// The same for an iterate of a solve within this one, which stands at a pose of its own.
  bool note(const IterationRecord& record, const Pose& pose);

  /// f, its rounding and its gradient at the pose.
  double objective() const { return workspace_.current.objective; }
  double rounding() const { return workspace_.current.rounding; }
  /// Largest entry of the gradient within what the limits leave free.
  double projectedGradientNorm() const;

  int iterationsOfPhase() const { return workspace_.progress.iterations[phase()]; }
  int iterationsLeft() const { return budget_.iterations - spent_; }  ///< of this call's budget
  bool isWarm() const { return start_ == Start::Warm; }
  bool isResumed() const { return resumed_; }  ///< the call goes on where the one before it stopped
  int phase() const { return workspace_.progress.phase; }
  void startPhase(int phase) { workspace_.progress.phase = phase; }

  /// Of which a solver sets what it alone knows: restarts, overstep, relaxation.
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

/// Sizes an evaluation that changes places with others in the course of a solve: none needs memory later.
void sizeLike(const Evaluation& current, Evaluation& other);

/// Max-norm of an active step in the objective's metric: radians, and lengths in mean link lengths.
double stepNorm(const Objective& objective, const Eigen::VectorXd& activeStep);

}  // namespace limber
