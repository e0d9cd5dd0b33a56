// SPDX-License-Identifier: MIT
#include "limber/solvers/methods/newtons_method.h"

#include <cmath>

#include <Eigen/LU>

#include "limber/solvers/option_table.h"
#include "limber/solvers/steps/forward_differences.h"

namespace limber {

namespace {

constexpr OptionInfo kNewtonsMethodOptions[] = {
    kNmIterations<&NewtonsMethodOptions::iterationsPerCoordinate>,
    kNmTol<&NewtonsMethodOptions::tol>,
    kForwardDifferences<&NewtonsMethodOptions::forwardDifferences>,
};
constexpr SolverInfo kNewtonsMethodInfo{
    .name = "nm",
    .title = "Newton's method (NM)",
    .description =
        "Newton's method without safeguards on the dense exact Hessian, as in the course assignment. Fast "
        "near a minimum; elsewhere it may go to a saddle or diverge.",
    .limits = LimitHandling::None,
    .options = kNewtonsMethodOptions,
    .needsDenseHessian = true,
    .isMonotone = false,
};

struct NewtonsMethodMemory final : SolverMemory {
  Eigen::MatrixXd hessian;  ///< (active x active)
  Eigen::PartialPivLU<Eigen::MatrixXd> factors;
};

}  // namespace

SolveStatus iterateNewton(const Objective& objective, Pose& pose, const NewtonsMethodOptions& options,
                          Workspace& workspace, SolveLoop& loop) {
  const int cap = options.iterationsPerCoordinate * objective.activeCount();
  auto& memory = workspace.memoryOf<NewtonsMethodMemory>();
  while (!workspace.gradient.isZero(0.0)) {
    if (loop.iterationsOfPhase() >= cap) return SolveStatus::IterationCap;
    objective.computeHessian(workspace.current, memory.hessian);
    if (options.forwardDifferences) {
      compareGradient(objective, pose, workspace);
      compareHessian(objective, pose, memory.hessian, workspace);
    }
    memory.factors.compute(memory.hessian);
    workspace.direction = memory.factors.solve(-workspace.gradient);
    if (!workspace.direction.allFinite()) return SolveStatus::Stalled;  // the Hessian is singular
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

const TypedSolver<NewtonsMethodOptions>& NewtonsMethodOptions::solver() {
  static const TypedSolver solver(kNewtonsMethodInfo, iterateNewton);
  return solver;
}

}  // namespace limber
