// SPDX-License-Identifier: MIT
#include "limber/solvers/methods/gdls_then_newton.h"

#include "limber/solvers/methods/globalised_newton.h"
#include "limber/solvers/methods/gradient_descent.h"
#include "limber/solvers/methods/newtons_method.h"
#include "limber/solvers/option_table.h"

namespace limber {

namespace {

constexpr int kGdls = 0;
constexpr int kNewton = 1;
constexpr std::string_view kGdlsThenNewtonPhases[] = {"gdls", "nm"};
constexpr OptionInfo kGdlsThenNewtonOptions[] = {
    kGdlsIterations<&GdlsThenNewtonOptions::gdlsIterationsPerCoordinate>,
    kGdlsAlphaInit<&GdlsThenNewtonOptions::alphaInit>,
    kGdlsTol<&GdlsThenNewtonOptions::gdlsTol>,
    kGdlsCarryAlpha<&GdlsThenNewtonOptions::carryAlpha>,
    kNmIterations<&GdlsThenNewtonOptions::nmIterationsPerCoordinate>,
    kNmTol<&GdlsThenNewtonOptions::nmTol>,
    kForwardDifferences<&GdlsThenNewtonOptions::forwardDifferences>,
};
constexpr SolverInfo kGdlsThenNewtonInfo{
    .name = "gdls+nm",
    .title = "GDLS, then NM",
    .description =
        "Gradient descent, then Newton's method from its result (the hybrid of the course assignment); "
        "Newton's result is kept only if f fell. With joint limits, both move only coordinates that no limit "
        "holds.",
    .limits = LimitHandling::Exact,
    .options = kGdlsThenNewtonOptions,
    .phases = kGdlsThenNewtonPhases,
    .needsDenseHessian = true,
};

struct GdlsThenNewtonMemory final : SolverMemory {
  Pose kept;                                      ///< GDLS's answer while NM tries to improve it
  Pose iterate;                                   ///< the iterate of NM between slices
  double keptObjective = 0.0, keptWrapped = 0.0;  ///< f at kept, and at kept with its angles wrapped
  Pose wrapped;                                   ///< kept or iterate with its angles wrapped
  Evaluation evaluation;                          ///< at wrapped
};

bool isInterrupted(SolveStatus status) {
  return status == SolveStatus::BudgetSpent || status == SolveStatus::Cancelled;
}

/// The bare method. With limits, which its steps would ignore, the default solver runs instead, on the coordinates that
/// no limit holds, for as many iterations.
SolveStatus iterateSecond(const NewtonsMethodOptions& options, const Objective& objective, Pose& pose,
                          Workspace& workspace, SolveLoop& loop) {
  if (objective.feasibleSet().constraintCount() == 0) return iterateNewton(objective, pose, options, workspace, loop);
  GlobalisedNewtonOptions limited;
  limited.maxIterations = options.iterationsPerCoordinate * objective.activeCount();
  return iterateGlobalisedNewton(objective, pose, limited, workspace, loop);
}

/// f with every angle wrapped to its first turn, as the answer is shown. Newton's steps may make whole turns, which the
/// pull to rest would count.
double wrappedObjective(const Objective& objective, const Pose& pose, GdlsThenNewtonMemory& memory) {
  memory.wrapped = pose;
  wrapAngles(objective.figure(), memory.wrapped);
  objective.feasibleSet().project(memory.wrapped);
  return objective.evaluate(memory.wrapped, memory.evaluation);
}

/// Restores GDLS's answer unless Newton's is lower.
bool keepBetter(const Objective& objective, const Pose& pose, GdlsThenNewtonMemory& memory, Workspace& workspace,
                SolveLoop& loop) {
  const bool isBetter = loop.objective() < memory.keptObjective;
  if (isBetter && wrappedObjective(objective, pose, memory) < memory.keptWrapped) return true;
  workspace.trialPose = memory.kept;
  loop.evaluateTrial();
  loop.acceptTrial();
  return false;
}

SolveStatus runGdlsThenNewton(const Objective& objective, Pose& pose, const GdlsThenNewtonOptions& options,
                              Workspace& workspace, SolveLoop& loop) {
  auto& memory = workspace.memoryOf<GdlsThenNewtonMemory>();
  if (loop.phase() == kGdls) {
    const GradientDescentOptions gdls{options.gdlsIterationsPerCoordinate, options.alphaInit, options.gdlsTol,
                                      options.carryAlpha, options.forwardDifferences};
    const SolveStatus status = descend(objective, pose, gdls, workspace, loop);
    if (isInterrupted(status)) return status;
    memory.kept = pose;
    memory.keptObjective = loop.objective();
    memory.keptWrapped = wrappedObjective(objective, pose, memory);
    loop.startPhase(kNewton);
  }
  const NewtonsMethodOptions newton{options.nmIterationsPerCoordinate, options.nmTol, options.forwardDifferences};
  const SolveStatus status = iterateSecond(newton, objective, pose, workspace, loop);
  memory.iterate = pose;
  const bool hasMoved = !(pose == memory.kept);
  const bool improved = keepBetter(objective, pose, memory, workspace, loop);
  // If Newton's answer is rejected, the solver ends at GDLS's, which need not be a minimum.
  return improved || !hasMoved || isInterrupted(status) ? status : SolveStatus::Stalled;
}

/// Between slices the caller sees the better of the two poses; Newton continues from its own.
std::optional<Summary> resumeNewton(const Objective&, Pose& pose, const GdlsThenNewtonOptions&, Workspace& workspace,
                                    const Budget&, Start start, Observer*) {
  const bool resumes = start == Start::Resume && workspace.progress.running;
  if (resumes && workspace.progress.phase == kNewton) pose = workspace.memoryOf<GdlsThenNewtonMemory>().iterate;
  return std::nullopt;
}

}  // namespace

const TypedSolver<GdlsThenNewtonOptions>& GdlsThenNewtonOptions::solver() {
  static const TypedSolver solver(kGdlsThenNewtonInfo, runGdlsThenNewton, resumeNewton);
  return solver;
}

}  // namespace limber
