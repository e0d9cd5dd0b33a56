// SPDX-License-Identifier: MIT
#include "limber/solvers/methods/levenberg_marquardt.h"

#include <algorithm>
#include <cmath>

#include "limber/solvers/option_table.h"
#include "limber/solvers/steps/bounded_step.h"
#include "limber/solvers/steps/flatness.h"

namespace limber {

namespace {

constexpr OptionInfo kLevenbergMarquardtOptions[] = {
    option<&LevenbergMarquardtOptions::tau>(
        "tau", "First damping", "of the largest goal weight", 1e-12, 1e6,
        "lambda begins at this part of the largest goal weight: what a goal one link away weighs in J'WJ.",
        kLogarithmic),
    option<&LevenbergMarquardtOptions::tolerance>(
        "tolerance", "Tolerance", "of f", 0.0, 1.0,
        "Converged when no step lowers f, except steps that promise less than this fraction of it.", kLogarithmic),
    kIterationCap<&LevenbergMarquardtOptions::maxIterations>,
};
constexpr SolverInfo kLevenbergMarquardtInfo{
    .name = "lm",
    .title = "Levenberg-Marquardt",
    .description =
        "Gauss-Newton steps, damped according to the success of the last one (Marquardt 1963, Nielsen 1999), "
        "in time linear in the figure. Fast if goals are met, slower than Newton if they are not.",
    .limits = LimitHandling::Exact,
    .options = kLevenbergMarquardtOptions,
};

constexpr double kMarquardtDecrease = 1e-4;      // of the decrease that the slope predicts
constexpr double kMarquardtMaxStep = 1.0;        // radians, lengths in M's unit; see the header
constexpr double kMarquardtLeastDamping = 1e-9;  // of the first lambda at tau = 1: equals Gauss-Newton to nine digits
constexpr int kMarquardtAttempts = 60;           // nu doubles each time: lambda exceeds any double long before

struct LevenbergMarquardtMemory final : SolverMemory {
  double nu = 2.0;  ///< the factor by which the next rejected step raises lambda
  FlatnessMemory flatness;
  NewtonSystem system;
  std::vector<char> free;             ///< (active), used while coordinates that a step would push out are held
  std::vector<Residual> multipliers;  ///< per goal: zero
};

class LevenbergMarquardtRun : public SolverRun<LevenbergMarquardtOptions> {
 public:
  using SolverRun::SolverRun;

  SolveStatus iterate() {
    if (loop_.iterationsOfPhase() == 0) {
      lambda_ = options_.tau * unit_;
      nu_ = 2.0;
    }
    clearMultipliers(objective_, memory_.multipliers);
    while (loop_.iterationsOfPhase() < options_.maxIterations) {
      memory_.system.assemble(objective_, workspace_.current, memory_.multipliers, Curvature::GaussNewton);
      const Move move = findMove();
      if (move != Move::Accepted) return move == Move::Converged ? SolveStatus::Converged : SolveStatus::Stalled;
      if (!loop_.endIteration(stepNorm(objective_, workspace_.direction), lambda_)) return loop_.status();
    }
    return SolveStatus::IterationCap;
  }

 private:
  enum class Move { Accepted, Converged, Stalled };

  /// Takes one step, or returns why no step is possible.
  Move findMove() {
    memory_.free = workspace_.freeSpace.free;
    bool hasTriedLeast = false;  // has tried all dampings, from the least up to one that predicts no decrease
    bool isSteep = false;        // f can still fall
    const double threshold = options_.tolerance * loop_.objective() + loop_.rounding();
    for (int attempt = 0; attempt < kMarquardtAttempts && std::isfinite(lambda_); ++attempt) {
      workspace_.freeSpace.free = memory_.free;
      if (!memory_.system.factor(lambda_, workspace_.freeSpace)) {
        raiseDamping();
        continue;
      }
      Eigen::VectorXd& s = workspace_.direction;
      memory_.system.solve(s);
      double decrement = -workspace_.gradient.dot(s);
      if (!std::isfinite(decrement)) break;
      if (decrement <= threshold) {
        if (!hasTriedLeast && lambda_ > kMarquardtLeastDamping * unit_) {
          hasTriedLeast = true;
          lambda_ = kMarquardtLeastDamping * unit_;
          nu_ = 1e3;  // returns to the old damping in a few attempts
          continue;
        }
        // Steps are short if the damping is large, and J'WJ lacks curvature: the Hessian of f decides.
        if (!isSteep && isAtMinimum()) return Move::Converged;
        isSteep = true;
        if (decrement <= loop_.rounding()) return Move::Stalled;
      }
      decrement = holdBlocked(objective_, pose_, lambda_, decrement, memory_.free, memory_.system, workspace_);
      if (memory_.system.stepNorm(s) > kMarquardtMaxStep) {
        raiseDamping();
        continue;
      }
      moveWithin(objective_, pose_, s, workspace_);
      const double slope = slopeOfTrial(objective_, pose_, workspace_);
      const double before = loop_.objective(), after = loop_.evaluateTrial();
      if (slope < 0.0 && after <= before + kMarquardtDecrease * slope) {
        adaptDamping((before - after) / (0.5 * (decrement + lambda_ * dampingNorm(memory_.system, s))));
        loop_.acceptTrial();  // recomputes the free space
        return Move::Accepted;
      }
      raiseDamping();
    }
    workspace_.freeSpace.free = memory_.free;
    return isAtMinimum() ? Move::Converged : Move::Stalled;
  }

  bool isAtMinimum() { return isFlat(objective_, workspace_, memory_.flatness); }

  void raiseDamping() {
    lambda_ *= nu_;
    nu_ *= 2.0;
  }

  void adaptDamping(double gain) {
    const double t = 2.0 * gain - 1.0;
    lambda_ = std::max(lambda_ * std::max(1.0 / 3.0, 1.0 - t * t * t), 0.5 * kMarquardtLeastDamping * unit_);
    nu_ = 2.0;
  }

  LevenbergMarquardtMemory& memory_ = workspace_.memoryOf<LevenbergMarquardtMemory>();
  double& lambda_ = workspace_.progress.damping;
  double& nu_ = memory_.nu;
  const double unit_ = largestWeight(objective_);  ///< unit of lambda: the largest goal weight
};

}  // namespace

const TypedSolver<LevenbergMarquardtOptions>& LevenbergMarquardtOptions::solver() {
  static const TypedSolver solver(kLevenbergMarquardtInfo, iterate<LevenbergMarquardtRun>);
  return solver;
}

}  // namespace limber
