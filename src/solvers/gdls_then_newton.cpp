// SPDX-License-Identifier: MIT
#include "solvers/gdls_then_newton.h"

#include "solvers/gradient_descent.h"
#include "solvers/newtons_method.h"
#include "solvers/option_table.h"

namespace limber {

namespace {

constexpr int kGdls = 0;
constexpr int kNewton = 1;
constexpr std::string_view kPhases[] = {"gdls", "nm"};
constexpr OptionInfo kOptions[] = {kGdlsIterations, kGdlsAlphaInit, kGdlsTol, kGdlsCarryAlpha, kNmIterations, kNmTol};

bool isInterrupted(SolveStatus status) {
  return status == SolveStatus::BudgetSpent || status == SolveStatus::Cancelled;
}

/// Takes GDLS's answer back unless Newton's is lower.
bool keepBetter(Workspace& workspace, SolveLoop& loop) {
  if (loop.objective() < workspace.progress.keptObjective) return true;
  workspace.trialPose = workspace.kept;
  loop.evaluateTrial();
  loop.acceptTrial();
  return false;
}

}  // namespace

std::span<const OptionInfo> GdlsThenNewton::options() const { return kOptions; }

Summary GdlsThenNewton::solve(const Objective& objective, Pose& pose, const OptionValues& options,
                              Workspace& workspace, const Budget& budget, Start start, Observer* observer) const {
  // Between slices the caller sees the better of the two poses; Newton goes on from its own.
  if (start == Start::Resume && workspace.progress.running && workspace.progress.phase == kNewton) pose = workspace.iterate;
  SolveLoop loop(objective, pose, workspace, budget, start, observer, kPhases);
  if (!loop.isSound() || !validate(*this, options).empty()) return loop.finish(SolveStatus::BadInput);

  if (loop.phase() == kGdls) {
    const GradientDescentOptions gdls{options[0], options[1], options[2], options[3]};
    const SolveStatus status = descend(objective, pose, gdls, workspace, loop);
    if (isInterrupted(status)) return loop.finish(status);
    workspace.kept = pose;
    workspace.progress.keptObjective = loop.objective();
    loop.startPhase(kNewton);
  }
  const SolveStatus status = iterateNewton(objective, pose, {options[4], options[5]}, workspace, loop);
  workspace.iterate = pose;
  const bool hasMoved = !(pose == workspace.kept);
  const bool improved = keepBetter(workspace, loop);
  // Where Newton's answer is refused the method ends at GDLS's, and nothing says that it is a minimum.
  return loop.finish(improved || !hasMoved || isInterrupted(status) ? status : SolveStatus::Stalled);
}

}  // namespace limber
