// SPDX-License-Identifier: MIT
#include "limber/solvers/steps/meet_goals.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include "limber/solvers/steps/solve_loop.h"

namespace limber {

namespace {

constexpr int kWindow = 6;           // steps taken, in which ...
constexpr double kWindowRate = 0.9;  // ... |r|^2 shrinks to this part at most
// Dampings, relative to the mean diagonal entry.
constexpr double kMeetingDamping = 1e-6, kLeastMeetingDamping = 1e-12, kMostMeetingDamping = 1e3;
constexpr double kDampLess = 0.1, kDampMore = 10.0;
constexpr int kMaxHolds = 4;  // rounds in which bounds that a step would cross at once are also held

/// Replaces a goal's residual r + shift by r; for a one-sided goal by r only where r + shift is below zero. A shift
/// from multiplier updates is at most zero, so that no violation is left out.
void takeShiftOut(const Goal& goal, const Residual& shift, Residual& residual) {
  for (Eigen::Index i = 0; i < residual.size(); ++i) {
    const bool isFelt = !goal.isOneSided() || residual[i] < 0.0;
    residual[i] = isFelt ? residual[i] - shift[i] : 0.0;
  }
  if (goal.isOneSided()) clampOneSided(residual);
}

bool isAsked(const Objective& objective, std::size_t goal, std::span<const char> asked) {
  return objective.goals()[goal]->weight() > 0.0 && (asked.empty() || asked[goal]);
}

class GoalMeeting {
 public:
  GoalMeeting(const Objective& objective, const MeetGoalsOptions& options, MeetGoalsWorkspace& workspace)
      : objective_(objective), options_(options), w_(workspace) {}

  MeetGoalsSummary run(Pose& pose) {
    w_.pose = pose;
    double now = evaluate(w_.pose, w_.current);
    double damping = kMeetingDamping, windowStart = std::numeric_limits<double>::infinity();
    int taken = 0;
    bool isNew = true;
    while (!isMet() && summary_.iterations < options_.maxIterations) {
      if (isNew) {
        if (taken++ % kWindow == 0 && !(now < kWindowRate * std::exchange(windowStart, now))) break;
        takeRows();
        sizeLike(w_.current, w_.trial);  // they are swapped
      }
      ++summary_.iterations;
      if (!findStep(damping)) break;
      integrate(objective_.figure(), w_.pose, w_.step, w_.trialPose);
      objective_.feasibleSet().project(w_.trialPose, w_.space);
      const double after = evaluate(w_.trialPose, w_.trial);
      isNew = after < now;
      damping = isNew ? std::max(kDampLess * damping, kLeastMeetingDamping) : kDampMore * damping;
      if (damping > kMostMeetingDamping) break;
      if (!isNew) continue;
      now = after;
      std::swap(w_.pose.coordinates, w_.trialPose.coordinates);
      std::swap(w_.current, w_.trial);
    }
    summary_.met = isMet();
    if (summary_.met) pose = w_.pose;
    return summary_;
  }

 private:
  bool counts(std::size_t goal) const { return isAsked(objective_, goal, options_.asked); }

  bool isMet() {
    double worst = 0.0;
    for (const Residual& residual : w_.current.residuals) worst = std::max(worst, residual.squaredNorm());
    summary_.missed = std::sqrt(worst);
    return summary_.missed <= options_.tolerance;
  }

  /// Returns |r|^2 of the selected goals (`asked`), without their shifts; sets the residuals of the others to zero.
  double evaluate(const Pose& pose, Evaluation& evaluation) {
    objective_.evaluate(pose, evaluation);
    ++summary_.evaluations;
    double sum = 0.0;
    for (std::size_t k = 0; k < evaluation.residuals.size(); ++k) {
      Residual& residual = evaluation.residuals[k];
      if (!counts(k)) {
        residual.setZero();
        continue;
      }
      takeShiftOut(*objective_.goals()[k], objective_.residualShift(static_cast<int>(k)), residual);
      sum += residual.squaredNorm();
    }
    return sum;
  }

  double scaleOf(int k) const { return 1.0 / std::sqrt(objective_.metric()[objective_.active()[k]]); }

  /// Computes r and M^-1/2 J^T within the free space for the goals alone.
  void takeRows() {
    Eigen::Index count = 0, at = 0;
    for (const Residual& residual : w_.current.residuals) count += residual.size();
    w_.rows.resize(objective_.activeCount(), count);
    w_.residuals.resize(count);
    objective_.computeGradient(w_.current, w_.column);  // computes the twists
    objective_.applyTransposedJacobian(w_.current, w_.current.residuals, w_.column);
    if (options_.space) w_.space = *options_.space;
    else objective_.feasibleSet().findFreeSpace(w_.pose, w_.column, w_.space);
    w_.forces.resize(w_.current.residuals.size());
    for (std::size_t k = 0; k < w_.forces.size(); ++k) w_.forces[k].setZero(w_.current.residuals[k].size());
    for (std::size_t k = 0; k < w_.forces.size(); ++k)
      for (Eigen::Index i = 0; i < w_.forces[k].size(); ++i, ++at) {
        w_.forces[k][i] = counts(k) ? 1.0 : 0.0;
        objective_.applyTransposedJacobian(w_.current, w_.forces, w_.column);
        w_.forces[k][i] = 0.0;
        w_.space.project(w_.column);
        w_.rows.col(at) = w_.column;
        w_.residuals[at] = w_.current.residuals[k][i];
      }
    for (int k = 0; k < objective_.activeCount(); ++k) w_.rows.row(k) *= scaleOf(k);
  }

  /// Computes the shortest damped step, with bounds that it would cross at once also held. False if no coordinate can
  /// move.
  bool findStep(double damping) {
    for (int round = 0; round < kMaxHolds; ++round) {
      w_.gram.noalias() = w_.rows.transpose() * w_.rows;
      const double mean = w_.gram.trace() / static_cast<double>(w_.gram.rows());
      w_.gram.diagonal().array() += damping * mean;
      w_.factors.compute(w_.gram);
      if (!(mean > 0.0) || w_.factors.info() != Eigen::Success) return false;
      w_.weights = w_.residuals;
      w_.factors.solveInPlace(w_.weights);
      w_.column.noalias() = w_.rows * w_.weights;
      for (int k = 0; k < objective_.activeCount(); ++k) w_.column[k] *= -scaleOf(k);
      w_.space.project(w_.column);
      w_.step.setZero(objective_.figure().stepSize());
      bool isHeld = false;
      for (int k = 0; k < objective_.activeCount(); ++k) {
        const int coordinate = objective_.active()[k];
        w_.step[coordinate] = w_.column[k];
        if (w_.column[k] == 0.0 || objective_.feasibleSet().room(w_.pose, coordinate, w_.column[k]) > 0.0) continue;
        w_.rows.row(k).setZero();
        isHeld = true;
      }
      if (!isHeld) break;
    }
    return w_.step.allFinite();
  }

  const Objective& objective_;
  const MeetGoalsOptions& options_;
  MeetGoalsWorkspace& w_;
  MeetGoalsSummary summary_;
};

}  // namespace

double missedBy(const Objective& objective, const Evaluation& evaluation, std::span<const char> asked) {
  assert(evaluation.residuals.size() == objective.goals().size());
  double worst = 0.0;
  for (std::size_t k = 0; k < objective.goals().size(); ++k) {
    if (!isAsked(objective, k, asked)) continue;
    Residual residual = evaluation.residuals[k];
    takeShiftOut(*objective.goals()[k], objective.residualShift(static_cast<int>(k)), residual);
    worst = std::max(worst, residual.squaredNorm());
  }
  return std::sqrt(worst);
}

MeetGoalsSummary meetGoals(const Objective& objective, Pose& pose, const MeetGoalsOptions& options,
                           MeetGoalsWorkspace& workspace) {
  return GoalMeeting(objective, options, workspace).run(pose);
}

}  // namespace limber
