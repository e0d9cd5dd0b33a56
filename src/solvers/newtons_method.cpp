// SPDX-License-Identifier: MIT
#include "solvers/newtons_method.h"

#include <cmath>

#include "solvers/option_table.h"

namespace limber {

namespace {

constexpr std::string_view kPhases[] = {"nm"};
constexpr OptionInfo kOptions[] = {kNmIterations, kNmTol};

}  // namespace

SolveStatus iterateNewton(const Objective& objective, Pose& pose, const NewtonsMethodOptions& options,
                          Workspace& workspace, SolveLoop& loop) {
  const double cap = options.iterationsPerCoordinate * objective.activeCount();
  while (!workspace.gradient.isZero(0.0)) {
    if (loop.iterationsOfPhase() >= cap) return SolveStatus::IterationCap;
    objective.computeHessian(workspace.current, workspace.hessian);
    workspace.factors.compute(workspace.hessian);
    workspace.direction = workspace.factors.solve(-workspace.gradient);
    if (!workspace.direction.allFinite()) return SolveStatus::Stalled;  // a singular Hessian gives no step
    objective.move(pose, workspace.direction, workspace.step, workspace.trialPose);
    const double before = loop.objective();
    if (!std::isfinite(loop.evaluateTrial())) return SolveStatus::Stalled;
    const double moved = stepNorm(objective, workspace.direction);
    loop.acceptTrial();
    const bool mayGoOn = loop.endIteration(moved, 0.0);
    if (moved < options.tol) return SolveStatus::Converged;
    if (std::abs(loop.objective() - before) <= loop.rounding()) return SolveStatus::Stalled;
    if (!mayGoOn) return loop.status();
  }
  return SolveStatus::Converged;
}

std::span<const OptionInfo> NewtonsMethod::options() const { return kOptions; }

Summary NewtonsMethod::solve(const Objective& objective, Pose& pose, const OptionValues& options, Workspace& workspace,
                             const Budget& budget, Start start, Observer* observer) const {
  SolveLoop loop(objective, pose, workspace, budget, start, observer, kPhases);
  if (!loop.isSound() || !validate(*this, options).empty()) return loop.finish(SolveStatus::BadInput);
  return loop.finish(iterateNewton(objective, pose, {options[0], options[1]}, workspace, loop));
}

}  // namespace limber
