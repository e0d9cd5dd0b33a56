// SPDX-License-Identifier: MIT
#include "limber/solvers/methods/gradient_descent.h"

#include "limber/solvers/option_table.h"
#include "limber/solvers/steps/forward_differences.h"

namespace limber {

namespace {

constexpr int kDescentHalvings = 60;  // a step of 2^-60 is below rounding
constexpr OptionInfo kGradientDescentOptions[] = {
    kGdlsIterations<&GradientDescentOptions::iterationsPerCoordinate>,
    kGdlsAlphaInit<&GradientDescentOptions::alphaInit>,
    kGdlsTol<&GradientDescentOptions::tol>,
    kGdlsCarryAlpha<&GradientDescentOptions::carryAlpha>,
    kForwardDifferences<&GradientDescentOptions::forwardDifferences>,
};
constexpr SolverInfo kGradientDescentInfo{
    .name = "gdls",
    .title = "Gradient descent (GDLS)",
    .description =
        "Gradient descent with backtracking line search, as in the course assignment. Slow near the minimum, "
        "but robust.",
    .limits = LimitHandling::Exact,
    .options = kGradientDescentOptions,
};

/// Halves alpha until f is lower at the projected trial. False if no step lowers f.
bool findLowerTrial(const Objective& objective, const Pose& pose, Workspace& workspace, SolveLoop& loop,
                    double& alpha) {
  for (int halvings = 0; halvings <= kDescentHalvings; ++halvings, alpha *= 0.5) {
    workspace.direction = -alpha * workspace.gradient;
    objective.move(pose, workspace.direction, workspace.step, workspace.trialPose);
    if (loop.evaluateTrial() < loop.objective()) return true;
  }
  return false;
}

}  // namespace

SolveStatus descend(const Objective& objective, Pose& pose, const GradientDescentOptions& options, Workspace& workspace,
                    SolveLoop& loop) {
  const int cap = options.iterationsPerCoordinate * objective.activeCount();
  double& alpha = workspace.progress.damping;
  while (!workspace.gradient.isZero(0.0)) {
    if (loop.iterationsOfPhase() >= cap) return SolveStatus::IterationCap;
    if (options.forwardDifferences) compareGradient(objective, pose, workspace);
    const bool isFirst = loop.iterationsOfPhase() == 0;
    if (isFirst || !options.carryAlpha) alpha = options.alphaInit;
    const double before = loop.objective();
    const double rounding = loop.rounding();
    if (!findLowerTrial(objective, pose, workspace, loop, alpha)) return SolveStatus::Stalled;
    const double moved = loop.trialDistance();
    loop.acceptTrial();
    const double used = alpha;
    if (options.carryAlpha) alpha *= 2.0;
    const bool mayGoOn = loop.endIteration(moved, used);
    if (moved < options.tol) return SolveStatus::Converged;
    if (before - loop.objective() <= rounding) return SolveStatus::Stalled;
    if (!mayGoOn) return loop.status();
  }
  return SolveStatus::Converged;
}

const TypedSolver<GradientDescentOptions>& GradientDescentOptions::solver() {
  static const TypedSolver solver(kGradientDescentInfo, descend);
  return solver;
}

}  // namespace limber
