// SPDX-License-Identifier: MIT
#include "limber/solvers/steps/solve_loop.h"

#include <algorithm>
#include <cmath>

#include "limber/solvers/steps/limit_penalty.h"

namespace limber {

SolveLoop::SolveLoop(const Objective& objective, Pose& pose, Workspace& workspace, const Budget& budget, Start start,
                     Observer* observer, std::span<const std::string_view> phases)
    : objective_(objective), pose_(pose), workspace_(workspace), budget_(budget), start_(start), observer_(observer),
      phases_(phases) {
  constexpr double kMet = 1e-9;  // radians, metres: a larger violation after a projection shows a contradiction
  Workspace::Progress& progress = workspace.progress;
  resumed_ = start == Start::Resume && progress.running;
  if (!resumed_) {
    progress = {};
    workspace.history.clear();
    workspace.history.reserve(kHistoryCapacity);
  }
  sound_ = isValid(objective.figure(), pose);
  if (!sound_) return;
  objective.feasibleSet().project(pose);
  sound_ = objective.feasibleSet().violation(pose) <= kMet;
  if (!sound_) return;
  objective.evaluate(pose, workspace.current);
  ++progress.evaluations;
  sound_ = std::isfinite(workspace.current.objective);
  if (!sound_) return;
  takeGradient();
  sizeLike(workspace.current, workspace.trial);
  if (resumed_) return;
  progress.running = true;
  progress.objectiveBefore = workspace.current.objective;
  workspace.history.push_back({0, workspace.current.objective, projectedGradientNorm(), 0.0, 0.0});
}

double SolveLoop::evaluateTrial() {
  ++workspace_.progress.evaluations;
  objective_.evaluate(workspace_.trialPose, workspace_.trial);
  if (workspace_.springs) {
    const double energy = workspace_.springs->value(workspace_.trialPose);
    workspace_.trial.objective += energy;
    workspace_.trial.rounding += 4.0 * std::numeric_limits<double>::epsilon() * energy;
  }
  return workspace_.trial.objective;
}

void SolveLoop::acceptTrial() {
  std::swap(pose_.coordinates, workspace_.trialPose.coordinates);
  std::swap(workspace_.current, workspace_.trial);
  takeGradient();
}

/// Computes the gradient and the free space at the accepted pose.
void SolveLoop::takeGradient() {
  objective_.computeGradient(workspace_.current, workspace_.gradient);
  if (workspace_.springs) {
    workspace_.springs->addGradient(pose_, workspace_.gradient);
    releaseLimits(workspace_.freeSpace);
    return;
  }
  objective_.feasibleSet().findFreeSpace(pose_, workspace_.gradient, workspace_.freeSpace);
}

double SolveLoop::trialDistance() const {
  difference(objective_.figure(), pose_, workspace_.trialPose, workspace_.step);
  double norm = 0.0;
  for (const int c : objective_.active())
    norm = std::max(norm, std::abs(workspace_.step[c]) * std::sqrt(objective_.metric()[c]));
  return norm;
}

void SolveLoop::acceptTrial(Eigen::VectorXd& gradient) {
  std::swap(pose_.coordinates, workspace_.trialPose.coordinates);
  std::swap(workspace_.current, workspace_.trial);
  workspace_.gradient.swap(gradient);
}

bool SolveLoop::endIteration(double step, double damping) {
  return note({phase(), objective(), projectedGradientNorm(), step, damping}, pose_);
}

bool SolveLoop::note(const IterationRecord& record, const Pose& pose) {
  ++workspace_.progress.iterations[phase()];
  ++spent_;
  if (workspace_.history.size() < kHistoryCapacity) workspace_.history.push_back(record);
  else workspace_.history.back() = record;
  if (observer_ && !observer_->onIteration(record, pose)) {
    status_ = SolveStatus::Cancelled;
    return false;
  }
  if (spent_ >= budget_.iterations) {
    status_ = SolveStatus::BudgetSpent;
    return false;
  }
  return true;
}

double SolveLoop::projectedGradientNorm() const {
  workspace_.projected = workspace_.gradient;
  workspace_.freeSpace.project(workspace_.projected);
  return workspace_.projected.size() > 0 ? workspace_.projected.cwiseAbs().maxCoeff() : 0.0;
}

Summary SolveLoop::finish(SolveStatus status) {
  Workspace::Progress& progress = workspace_.progress;
  progress.running = status == SolveStatus::BudgetSpent;
  Summary summary = summary_;
  summary.status = status;
  const std::size_t phaseCount = std::min(phases_.size(), summary.phases.size());
  summary.phaseCount = static_cast<int>(phaseCount);
  for (std::size_t i = 0; i < phaseCount; ++i) summary.phases[i] = {phases_[i], progress.iterations[i]};
  summary.evaluations = progress.evaluations;
  if (!sound_) return summary;
  summary.objectiveBefore = progress.objectiveBefore;
  summary.objective = objective();
  objective_.feasibleSet().findFreeSpace(pose_, workspace_.gradient,
                                         workspace_.freeSpace);  // solvers may keep a free space of their own
  summary.gradientNorm = projectedGradientNorm();
  summary.gradientDifference = progress.gradient.difference / (1.0 + progress.gradient.entry);
  summary.hessianDifference = progress.hessian.difference / (1.0 + progress.hessian.entry);
  return summary;
}

void releaseLimits(FreeSpace& space) {
  std::fill(space.free.begin(), space.free.end(), char{1});
  for (FreeSpace::Block& block : space.blocks) {
    std::fill(block.holds.begin(), block.holds.end(), char{0});
    block.held = block.twistSide = 0;
    block.holdsSwing = false;
  }
  space.limits.clear();
}

void sizeLike(const Evaluation& current, Evaluation& other) {
  if (other.fullGradient.size() != current.fullGradient.size() || other.forces.size() != current.forces.size())
    other = current;
}

double stepNorm(const Objective& objective, const Eigen::VectorXd& activeStep) {
  double norm = 0.0;
  for (int k = 0; k < objective.activeCount(); ++k)
    norm = std::max(norm, std::abs(activeStep[k]) * std::sqrt(objective.metric()[objective.active()[k]]));
  return norm;
}

}  // namespace limber
