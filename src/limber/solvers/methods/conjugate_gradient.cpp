// SPDX-License-Identifier: MIT
#include "limber/solvers/methods/conjugate_gradient.h"

#include <algorithm>

#include "limber/solvers/methods/projected_descent.h"
#include "limber/solvers/option_table.h"

namespace limber {

namespace {

constexpr OptionInfo kConjugateGradientOptions[] = {
    kLocalIterations<&ConjugateGradientOptions::maxIterations>,
    kGradientTolerance<&ConjugateGradientOptions::tolerance>,
};
constexpr SolverInfo kConjugateGradientInfo{
    .name = "cg",
    .title = "Conjugate gradients (PR+)",
    .description =
        "Nonlinear conjugate gradients, one of the local methods that Yenamandra et al. compare (2019). Many "
        "cheap iterations; never raises f.",
    .limits = LimitHandling::Exact,
    .options = kConjugateGradientOptions,
};

struct ConjugateGradientMemory final : SolverMemory {
  ProjectedDescentMemory descent;
  Eigen::VectorXd oldGradient;  ///< (active x 1), P g of the previous iterate
  double oldSquared = 0.0;      ///< z.g there
};

class ConjugateGradientRun : public SolverRun<ConjugateGradientOptions> {
 public:
  using SolverRun::SolverRun;

  SolveStatus iterate() { return descent_.iterate(*this, options_.maxIterations, options_.tolerance); }

  double findDirection() {
    own_.isFresh = own_.held != own_.heldBefore;
    if (own_.isFresh) return 0.0;
    const double squared = own_.gradient.dot(own_.scaled);
    const double beta = std::max(0.0, (squared - own_.scaled.dot(memory_.oldGradient)) / memory_.oldSquared);
    own_.direction = beta * own_.direction - own_.scaled;
    workspace_.freeSpace.project(own_.direction);
    descent_.dropBlocked();
    own_.isFresh = !(own_.direction.dot(own_.gradient) < 0.0);
    return own_.isFresh ? 0.0 : descent_.parabolaStep();
  }

  void forget() {}

  /// The gradient of the iterate before the last step.
  void learn() {
    memory_.oldGradient = own_.gradient;
    memory_.oldSquared = own_.gradient.dot(own_.scaled);
  }

 private:
  ConjugateGradientMemory& memory_ = workspace_.memoryOf<ConjugateGradientMemory>();
  ProjectedDescentMemory& own_ = memory_.descent;
  ProjectedDescent descent_{objective_, pose_, workspace_, loop_, own_};
};

}  // namespace

SolveStatus descendByConjugateGradients(const Objective& objective, Pose& pose, const ConjugateGradientOptions& options,
                                        Workspace& workspace, SolveLoop& loop) {
  return iterate<ConjugateGradientRun>(objective, pose, options, workspace, loop);
}

const TypedSolver<ConjugateGradientOptions>& ConjugateGradientOptions::solver() {
  static const TypedSolver solver(kConjugateGradientInfo, descendByConjugateGradients);
  return solver;
}

}  // namespace limber
