// SPDX-License-Identifier: MIT
#include "limber/solvers/methods/penalty_methods.h"

#include "limber/solvers/methods/conjugate_gradient.h"
#include "limber/solvers/methods/lbfgs.h"
#include "limber/solvers/methods/projected_descent.h"
#include "limber/solvers/methods/trust_region.h"
#include "limber/solvers/option_table.h"
#include "limber/solvers/steps/limit_penalty.h"

namespace limber {

namespace {

template <auto member>
constexpr OptionInfo kLambda = option<member>(
    "lambda", "Stiffness of limits", "of a goal", 1e-3, 1e6,
    "Weight of a squared radian outside a limit, relative to the squared distance of a goal (paper: 100).",
    kLogarithmic);

constexpr OptionInfo kGradientDescentPenaltyOptions[] = {
    kLocalIterations<&GradientDescentPenaltyOptions::maxIterations>,
    kGradientTolerance<&GradientDescentPenaltyOptions::tolerance>,
    kLambda<&GradientDescentPenaltyOptions::lambda>,
};
constexpr SolverInfo kGradientDescentPenaltyInfo{
    .name = "gdls-penalty",
    .title = "Gradient descent, limits as springs",
    .description =
        "Steepest descent with a line search, with joint limits as additional springs, as Yenamandra "
        "et al. compare it (2019). Needs thousands of iterations. The result is projected into the limits.",
    .limits = LimitHandling::Penalty,
    .options = kGradientDescentPenaltyOptions,
};

constexpr OptionInfo kTrustRegionPenaltyOptions[] = {
    kLocalIterations<&TrustRegionPenaltyOptions::maxIterations>,
    kGradientTolerance<&TrustRegionPenaltyOptions::tolerance>,
    kFirstRadius<&TrustRegionPenaltyOptions::firstRadius>,
    kLargestRadius<&TrustRegionPenaltyOptions::largestRadius>,
    kLambda<&TrustRegionPenaltyOptions::lambda>,
};
constexpr SolverInfo kTrustRegionPenaltyInfo{
    .name = "trust-region-penalty",
    .title = "Trust region, limits as springs",
    .description =
        "The trust region with joint limits as additional springs: the local method that Yenamandra et "
        "al. chose (2019). The result is projected into the limits.",
    .limits = LimitHandling::Penalty,
    .options = kTrustRegionPenaltyOptions,
};

constexpr OptionInfo kConjugateGradientPenaltyOptions[] = {
    kLocalIterations<&ConjugateGradientPenaltyOptions::maxIterations>,
    kGradientTolerance<&ConjugateGradientPenaltyOptions::tolerance>,
    kLambda<&ConjugateGradientPenaltyOptions::lambda>,
};
constexpr SolverInfo kConjugateGradientPenaltyInfo{
    .name = "cg-penalty",
    .title = "Conjugate gradients, limits as springs",
    .description =
        "Nonlinear conjugate gradients with joint limits as additional springs, as Yenamandra et al. "
        "compare it (2019). The result is projected into the limits.",
    .limits = LimitHandling::Penalty,
    .options = kConjugateGradientPenaltyOptions,
};

constexpr OptionInfo kLbfgsPenaltyOptions[] = {
    kLocalIterations<&LbfgsPenaltyOptions::maxIterations>,
    kGradientTolerance<&LbfgsPenaltyOptions::tolerance>,
    kMemory<&LbfgsPenaltyOptions::memory>,
    kLambda<&LbfgsPenaltyOptions::lambda>,
};
constexpr SolverInfo kLbfgsPenaltyInfo{
    .name = "lbfgs-penalty",
    .title = "L-BFGS, limits as springs",
    .description =
        "L-BFGS with joint limits as additional springs, as Yenamandra et al. compare it (2019). The "
        "result is projected into the limits.",
    .limits = LimitHandling::Penalty,
    .options = kLbfgsPenaltyOptions,
};

struct PenaltyMemory final : SolverMemory {
  LimitPenalty springs;
  Pose start, iterate;  ///< of the solve; the current iterate, which may be outside the limits
};

/// Replaces the limits by springs during its lifetime.
class SpringsInPlace {
 public:
  SpringsInPlace(Workspace& workspace, LimitPenalty& springs) : workspace_(workspace) { workspace.springs = &springs; }
  ~SpringsInPlace() { workspace_.springs = nullptr; }
  SpringsInPlace(const SpringsInPlace&) = delete;
  SpringsInPlace& operator=(const SpringsInPlace&) = delete;

 private:
  Workspace& workspace_;
};

/// Makes a pose the current iterate.
void goTo(const Pose& pose, Workspace& workspace, SolveLoop& loop) {
  workspace.trialPose.coordinates = pose.coordinates;
  loop.evaluateTrial();
  loop.acceptTrial();
}

/// method: SolveStatus(), runs the solver on F.
template <class Method>
SolveStatus solveWithSprings(const Objective& objective, Pose& pose, double lambda, Workspace& workspace,
                             SolveLoop& loop, const Method& method) {
  PenaltyMemory& own = workspace.memoryOf<PenaltyMemory>();
  const bool isFirst = loop.iterationsOfPhase() == 0;
  if (isFirst) own.start.coordinates = own.iterate.coordinates = pose.coordinates;
  own.springs.reset(objective, springStiffness(objective, lambda));
  SolveStatus status = SolveStatus::Stalled;
  {
    const SpringsInPlace springs(workspace, own.springs);
    goTo(own.iterate, workspace, loop);
    if (isFirst) workspace.history.back().gradientNorm = loop.projectedGradientNorm();
    status = method();
  }
  const FeasibleSet& set = objective.feasibleSet();
  loop.summary().overstep = set.violation(pose);
  own.iterate.coordinates = pose.coordinates;
  set.project(pose);
  goTo(pose, workspace, loop);
  if (loop.objective() <= workspace.progress.objectiveBefore) return status;
  goTo(own.start, workspace, loop);
  return status == SolveStatus::Converged ? SolveStatus::Stalled : status;
}

struct SteepestDescentMemory final : SolverMemory {
  ProjectedDescentMemory descent;
};

/// The direction is always -z.
class SteepestDirections {
 public:
  explicit SteepestDirections(ProjectedDescentMemory& memory) : memory_(memory) {}
  double findDirection() {
    memory_.isFresh = true;
    return 0.0;
  }
  void forget() {}
  void learn() {}

 private:
  ProjectedDescentMemory& memory_;
};

SolveStatus runGradientDescentPenalty(const Objective& objective, Pose& pose,
                                      const GradientDescentPenaltyOptions& options, Workspace& workspace,
                                      SolveLoop& loop) {
  return solveWithSprings(objective, pose, options.lambda, workspace, loop, [&] {
    ProjectedDescentMemory& memory = workspace.memoryOf<SteepestDescentMemory>().descent;
    SteepestDirections directions(memory);
    return ProjectedDescent(objective, pose, workspace, loop, memory)
        .iterate(directions, options.maxIterations, options.tolerance);
  });
}

SolveStatus runTrustRegionPenalty(const Objective& objective, Pose& pose, const TrustRegionPenaltyOptions& options,
                                  Workspace& workspace, SolveLoop& loop) {
  return solveWithSprings(objective, pose, options.lambda, workspace, loop, [&] {
    return descendInTrustRegion(objective, pose,
                                {options.maxIterations, options.tolerance, options.firstRadius, options.largestRadius},
                                workspace, loop);
  });
}

SolveStatus runConjugateGradientPenalty(const Objective& objective, Pose& pose,
                                        const ConjugateGradientPenaltyOptions& options, Workspace& workspace,
                                        SolveLoop& loop) {
  return solveWithSprings(objective, pose, options.lambda, workspace, loop, [&] {
    return descendByConjugateGradients(objective, pose, {options.maxIterations, options.tolerance}, workspace, loop);
  });
}

SolveStatus runLbfgsPenalty(const Objective& objective, Pose& pose, const LbfgsPenaltyOptions& options,
                            Workspace& workspace, SolveLoop& loop) {
  return solveWithSprings(objective, pose, options.lambda, workspace, loop, [&] {
    return descendByLbfgs(objective, pose, {options.maxIterations, options.tolerance, options.memory}, workspace, loop);
  });
}

}  // namespace

const TypedSolver<GradientDescentPenaltyOptions>& GradientDescentPenaltyOptions::solver() {
  static const TypedSolver solver(kGradientDescentPenaltyInfo, runGradientDescentPenalty);
  return solver;
}

const TypedSolver<TrustRegionPenaltyOptions>& TrustRegionPenaltyOptions::solver() {
  static const TypedSolver solver(kTrustRegionPenaltyInfo, runTrustRegionPenalty);
  return solver;
}

const TypedSolver<ConjugateGradientPenaltyOptions>& ConjugateGradientPenaltyOptions::solver() {
  static const TypedSolver solver(kConjugateGradientPenaltyInfo, runConjugateGradientPenalty);
  return solver;
}

const TypedSolver<LbfgsPenaltyOptions>& LbfgsPenaltyOptions::solver() {
  static const TypedSolver solver(kLbfgsPenaltyInfo, runLbfgsPenalty);
  return solver;
}

}  // namespace limber
