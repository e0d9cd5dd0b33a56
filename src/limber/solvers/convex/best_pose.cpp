// SPDX-License-Identifier: MIT
#include "limber/solvers/convex/best_pose.h"

namespace limber {

namespace {

constexpr double kAsLow = 1e-9;  // of f: counts as equal to the stored value

}  // namespace

void BestPose::begin(const Pose& start, const SolveLoop& loop) {
  pose = start;
  objective = loop.objective();
  record = {0, objective, loop.projectedGradientNorm(), 0.0, 0.0};
  status = SolveStatus::Stalled;
}

void BestPose::take(const Pose& end, const Summary& summary) {
  const double f = summary.objective;
  if (f < objective) {
    pose = end;
    objective = f;
    record = {1, f, summary.gradientNorm, 0.0, 0.0};
    status = summary.status;
  } else if (f <= (1.0 + kAsLow) * objective && summary.status == SolveStatus::Converged) {
    status = SolveStatus::Converged;
  }
}

void BestPose::show(Pose& shown, Workspace& workspace, SolveLoop& loop) const {
  if (shown == pose) return;
  workspace.trialPose = pose;
  loop.evaluateTrial();
  loop.acceptTrial();
}

}  // namespace limber
