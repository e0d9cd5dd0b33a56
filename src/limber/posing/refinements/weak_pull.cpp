// SPDX-License-Identifier: MIT
#include "limber/posing/refinements/refinements.h"

#include <utility>

namespace limber {

namespace {

// Relative to the goals' weight: enough to choose among the poses that meet them. For 300 targets of a chain with two
// rigid joints, these turn alike from 1e-6 to 1e-2, and by 36 % more with 0.1; 1e-6 takes 7 % more iterations.
constexpr double kWeakPull = 1e-3;

}  // namespace

void WeakPull::begin(Solve& solve) {
  unpulled_ = {};
  if (solve.isSearching || !hasIdleRigidities(*solve.problem, *solve.posed.objective)) return;
  IkProblem pulled = *solve.problem;
  pulled.solver.restWeight = kWeakPull * pulled.solver.targetWeight;
  PosedProblem weak = solve.variant(pulled, &solve.startPose);
  if (!weak.objective) return;
  unpulled_ = std::exchange(solve.posed, std::move(weak));
}

Refinement::Verdict WeakPull::judge(Solve& solve) {
  if (!unpulled_.objective) return Verdict::AskOthers;
  solve.posed = std::move(unpulled_);
  return Verdict::RunAgain;
}

void WeakPull::breakOff(Solve& solve) {
  if (!unpulled_.objective) return;
  solve.posed = std::move(unpulled_);
  if (solve.summary.status == SolveStatus::Cancelled) solve.moveTo(Pose(solve.pose), SolveStatus::Cancelled);
}

}  // namespace limber
