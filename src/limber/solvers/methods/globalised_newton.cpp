// SPDX-License-Identifier: MIT
#include "limber/solvers/methods/globalised_newton.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "limber/objective/gradient_rounding.h"
#include "limber/solvers/methods/planar_newton.h"
#include "limber/solvers/option_table.h"
#include "limber/solvers/steps/bounded_step.h"
#include "limber/solvers/steps/inequality_rows.h"

namespace limber {

namespace {

constexpr OptionInfo kGlobalisedNewtonOptions[] = {
    kIterationCap<&GlobalisedNewtonOptions::maxIterations>,
    option<&GlobalisedNewtonOptions::tolerance>("tolerance", "Tolerance", "of f", 0.0, 1.0,
                                                "Converged when a full step promises less than this part of f.",
                                                kLogarithmic),
};
constexpr SolverInfo kGlobalisedNewtonInfo{
    .name = "newton",
    .title = "Newton, globalised (default)",
    .description =
        "Exact Newton steps in time linear in the figure, damped if the Hessian is not positive definite. "
        "Leaves saddles, respects joint limits, never raises f.",
    .limits = LimitHandling::Exact,
    .options = kGlobalisedNewtonOptions,
    .isFollowedUp = true,
    .searchSolver = "multi-start",
};

constexpr double kSufficientDecrease = 1e-4;  // of the decrease that the slope predicts
constexpr double kMaxStep = 1.0;              // radians, lengths in M's unit: the model is poor beyond
constexpr int kMaxAttempts = 80;              // lambda grows at least fourfold each time: 4^80 exceeds any double
constexpr int kMaxHalvings = 30;
constexpr int kMaxCorrections = 3;
constexpr int kMaxForesight = 6;       // solves to predict the inequalities that a step activates
constexpr double kGoodRatio = 0.75;    // of the predicted decrease: below, try second-order corrections
constexpr int kWarmIterations = 5;     // later, a warm solve is no closer to convergence than a cold one
constexpr double kSuperlinear = 0.1;   // of a decrement: near the end the next one is smaller than this
constexpr double kSafety = 10.0;       // margin of a predicted decrement
constexpr double kComesNearer = 0.7;   // of a distance with a limited force: less is left after a good step
constexpr double kGoodProgress = 0.5;  // of f before a step: the goals' part of f after a good step
constexpr double kFlat = 1e-12;        // of the stiffest coordinate: a smaller curvature is rounding

/// State that a solve keeps for its next slice, and for a warm solve.
struct NewtonMemory final : SolverMemory {
  std::vector<Residual> multipliers;  ///< per goal: nu, which weighs the curvature
  NewtonSystem system;
  std::vector<char> free;                 ///< (active), used while coordinates that a step would push out are held
  std::vector<Residual> linearResiduals;  ///< per goal: its residual after the step by the linear model
  std::vector<Residual> curvedness;       ///< per goal: the trial's residual minus that
  Eigen::VectorXd correction;             ///< (active x 1), second order
  Eigen::VectorXd corrected;              ///< (active x 1), direction plus corrections
  Evaluation spare;                       ///< at a trial before its correction
  Pose sparePose;
  double damping = 0.0;
  double decrement = kUnknown;  ///< of the last step, if it was undamped and no limit cut it
  bool isWarm = false;
  double missed = 0.0;  ///< largest |r| of goals with a limited force, one iteration ago
  GradientRounding rounding;
  InequalityRows inequalities;

  static constexpr double kUnknown = std::numeric_limits<double>::infinity();
};

class GlobalisedNewtonRun : public SolverRun<GlobalisedNewtonOptions> {
 public:
  GlobalisedNewtonRun(const Objective& objective, Pose& pose, const GlobalisedNewtonOptions& options,
                      Workspace& workspace, SolveLoop& loop)
      : SolverRun(objective, pose, options, workspace, loop) {
    sizeLike(workspace.current, memory_.spare);
  }

  /// Begins a solve (not a further slice of it).
  void begin(bool isWarm) {
    memory_.isWarm = isWarm && fitsMultipliers();
    memory_.decrement = NewtonMemory::kUnknown;
    if (memory_.isWarm) return;
    lambda_ = memory_.missed = 0.0;
    // The first step has no curvature (Gauss-Newton); its linearised multipliers weigh the curvature of the next one.
    clearMultipliers(objective_, memory_.multipliers);
  }

  SolveStatus iterate() {
    while (loop_.iterationsOfPhase() < options_.maxIterations) {
      triedExact_ = false;
      isAtFloor_ = memory_.rounding.explains(objective_, workspace_.current, workspace_.freeSpace, workspace_.gradient,
                                             workspace_.history.back().gradientNorm);
      chooseCurvature();
      memory_.system.assemble(objective_, workspace_.current, memory_.multipliers, ofPulls_);
      memory_.inequalities.take(objective_, workspace_.current, workspace_.gradient);
      const Move move = findMove();
      if (move != Move::Accepted) return move == Move::Converged ? SolveStatus::Converged : SolveStatus::Stalled;
      const double step = stepNorm(objective_, workspace_.direction);
      const bool mayGoOn = loop_.endIteration(step, lambda_);
      if (converging_) return SolveStatus::Converged;
      if (!mayGoOn) return loop_.status();
    }
    return SolveStatus::IterationCap;
  }

 private:
  enum class Move { Accepted, Converged, Stalled };

  /// A distant goal pulls with a limited force, whose Hessian is zero along the residual: a Newton step would not know
  /// where the goal is. As long as the goal comes nearer, the curvature of a parabola is used instead; then the
  /// Hessian.
  void chooseCurvature() {
    ofPulls_ = Curvature::Exact;
    if (!objective_.limitsForces()) return;
    double missed = 0.0;
    for (std::size_t k = 0; k < objective_.goals().size(); ++k)
      if (objective_.isForceLimited(workspace_.current, k))
        missed = std::max(missed, workspace_.current.residuals[k].norm());
    if (missed > 0.0 && (memory_.missed == 0.0 || missed < kComesNearer * memory_.missed))
      ofPulls_ = Curvature::GaussNewton;
    memory_.missed = missed;
  }

  /// Raises lambda until H + lambda M is positive definite. False if no finite lambda is enough.
  bool factor() {
    for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
      if (memory_.system.factor(lambda_, workspace_.freeSpace)) return true;
      // v'(H + lambda M)v = c <= 0 implies that lambda must grow by more than -c / |v|^2.
      const double c = memory_.system.curvatureDirection(workspace_.direction);
      const double shown = -c / dampingNorm(memory_.system, workspace_.direction);
      const double missing = shown > 0.0 && std::isfinite(shown) ? shown : 0.0;  // else c is only rounding
      lambda_ = std::max(2.0 * lambda_, lambda_ + 1.5 * missing + loop_.rounding());
    }
    return false;
  }

  /// True if the last solve's multipliers fit the goals of this objective.
  bool fitsMultipliers() const {
    const auto& goals = objective_.goals();
    if (memory_.multipliers.size() != goals.size()) return false;
    for (std::size_t k = 0; k < goals.size(); ++k)
      if (memory_.multipliers[k].size() != goals[k]->residualSize() || !memory_.multipliers[k].allFinite())
        return false;
    return true;
  }

  /// Sets the multipliers after an accepted step: primal-dual if the step did well, else those of the Hessian of f. A
  /// warm solve, unless it takes many iterations, is near its end, where the former is better.
  void updateMultipliers(double objectiveBefore) {
    double goalPart = 0.0;
    for (std::size_t k = 0; k < memory_.multipliers.size(); ++k)
      goalPart += objective_.goalValue(workspace_.current, k);
    const bool isNearEnd = memory_.isWarm && loop_.iterationsOfPhase() < kWarmIterations;
    if (isNearEnd || goalPart < kGoodProgress * objectiveBefore)
      for (std::size_t k = 0; k < memory_.multipliers.size(); ++k)
        memory_.multipliers[k] = workspace_.trial.weights[k] * memory_.linearResiduals[k];  // predicted by the step
    else exactMultipliers(objective_, workspace_.current, memory_.multipliers);
  }

  /// After an accepted step with the given decrement: true if the predicted next decrement is below the tolerance.
  /// Newton's steps shrink at an increasing rate: the ratio of the next decrement to this one is at most the ratio of
  /// this one to the last, and at most that of the squared gradients. This holds if the last two steps were undamped
  /// and within the same limits: their Hessian was positive definite, and the multipliers have settled.
  bool hasConverged(double decrement, double gradientBefore) {
    const double last = std::exchange(memory_.decrement, decrement);
    const double gradientShare = loop_.projectedGradientNorm() / gradientBefore;
    const double share = std::max(decrement / last, gradientShare * gradientShare);
    return share < kSuperlinear && isNegligible(kSafety * share * decrement);
  }

  /// False for a more negative decrement: H is so nearly singular that the step is rounding.
  bool isNegligible(double decrement) const {
    return std::abs(decrement) <= options_.tolerance * loop_.objective() + loop_.rounding();
  }

  /// True if the set of active limits did not change at the accepted pose, and no active limit couples coordinates.
  bool keepsLimits() const {
    const FreeSpace& space = workspace_.freeSpace;
    return space.free == memory_.free &&
           std::all_of(space.blocks.begin(), space.blocks.end(), [](const auto& block) { return block.held == 0; });
  }

  /// Takes one step, or returns why no step is possible.
  Move findMove() {
    memory_.free = workspace_.freeSpace.free;
    for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
      workspace_.freeSpace.free = memory_.free;
      if (!factor()) return Move::Stalled;
      Eigen::VectorXd& s = workspace_.direction;
      workspace_.gradient = inequalities().modelGradient(workspace_.gradient);
      memory_.system.solve(s);
      if (!isAtFloor_ && !foreseeActivity()) return Move::Stalled;
      double decrement = -workspace_.gradient.dot(s);
      if (!std::isfinite(decrement)) return Move::Stalled;
      if (isAtFloor_ || isNegligible(decrement)) {
        inequalities().restore(objective_, workspace_.current, workspace_.gradient);
        return settle();
      }
      if (decrement < 0.0) {
        lambda_ = std::max(4.0 * lambda_, -decrement / dampingNorm(memory_.system, s));
        continue;
      }
      const double free = decrement;
      decrement = holdBlocked(objective_, pose_, lambda_, decrement, memory_.free, memory_.system, workspace_);
      const double size = dampingNorm(memory_.system, s);
      if (memory_.system.stepNorm(s) > kMaxStep) {
        lambda_ = std::max(4.0 * lambda_, 0.25 * decrement / size);
        continue;
      }
      memory_.system.linearResiduals(memory_.linearResiduals);
      workspace_.gradient = inequalities().trueGradient(workspace_.gradient);
      moveWithin(objective_, pose_, s, workspace_);
      const double slope = slopeOfTrial(objective_, pose_, workspace_);
      const double before = loop_.objective();
      const double promised = 0.5 * (decrement + lambda_ * size) - inequalities().modelRise();
      double after = loop_.evaluateTrial();
      if (!(before - after >= kGoodRatio * promised)) after = correct(after);
      if (slope < 0.0 && after <= before + kSufficientDecrease * slope) {
        const bool isNewton =
            lambda_ == 0.0 && decrement == free && !inequalities().isChanged() && ofPulls_ == Curvature::Exact;
        const double gradientBefore = workspace_.history.back().gradientNorm;
        adaptLambda((before - after) / promised, decrement / size);
        loop_.acceptTrial();  // recomputes the free space
        updateMultipliers(before);
        if (!isNewton || !keepsLimits()) memory_.decrement = NewtonMemory::kUnknown;
        else converging_ = hasConverged(decrement, gradientBefore);
        return Move::Accepted;
      }
      if (acceptShortened()) return Move::Accepted;
      lambda_ = std::max(4.0 * lambda_, 0.1 * decrement / size);
    }
    workspace_.freeSpace.free = memory_.free;
    return Move::Stalled;
  }

  InequalityRows& inequalities() { return memory_.inequalities; }

  /// Solves again with the inequalities that are active at the step's end by the model, until this set does not change.
  /// False if no damping makes the Hessian positive definite.
  bool foreseeActivity() {
    for (int round = 0; round < kMaxForesight; ++round) {
      if (!inequalities().foresee(objective_, workspace_.current, workspace_.direction, memory_.multipliers))
        return true;
      workspace_.gradient = inequalities().modelGradient(workspace_.gradient);
      memory_.system.assemble(objective_, workspace_.current, memory_.multipliers, ofPulls_);
      if (!factor()) return false;
      memory_.system.solve(workspace_.direction);
    }
    return true;
  }

  /// If limits cut the step and the rest of it is not good enough, takes the whole step, shortened to the first limit.
  bool acceptShortened() {
    Eigen::VectorXd& s = workspace_.direction;
    double share = 1.0;
    for (int k = 0; k < objective_.activeCount(); ++k)
      if (s[k] != 0.0)
        share = std::min(share, objective_.feasibleSet().room(pose_, objective_.active()[k], s[k]) / std::abs(s[k]));
    if (!(share > 0.0 && share < 1.0)) return false;
    s *= share;
    const double slope = workspace_.gradient.dot(s);
    moveWithin(objective_, pose_, s, workspace_);
    if (!(slope < 0.0 && loop_.evaluateTrial() <= loop_.objective() + kSufficientDecrease * slope)) return false;
    loop_.acceptTrial();
    exactMultipliers(objective_, workspace_.current, memory_.multipliers);
    memory_.decrement = NewtonMemory::kUnknown;
    return true;
  }

  /// Adds second-order corrections to the trial as long as they help, and keeps the best trial. Returns its f.
  double correct(double best) {
    memory_.corrected = workspace_.direction;
    for (int round = 0; round < kMaxCorrections; ++round) {
      memory_.curvedness.resize(memory_.linearResiduals.size());
      for (std::size_t k = 0; k < memory_.curvedness.size(); ++k)
        memory_.curvedness[k] = workspace_.trial.residuals[k] - memory_.linearResiduals[k];
      memory_.system.solveForResiduals(memory_.curvedness, memory_.correction);
      memory_.corrected += memory_.correction;
      if (!(memory_.system.stepNorm(memory_.corrected) <= 2.0 * kMaxStep)) return best;
      std::swap(workspace_.trial, memory_.spare);
      std::swap(workspace_.trialPose, memory_.sparePose);
      moveWithin(objective_, pose_, memory_.corrected, workspace_);
      const double f = loop_.evaluateTrial();
      if (f < best) {
        best = f;
        workspace_.direction = memory_.corrected;
        continue;
      }
      std::swap(workspace_.trial, memory_.spare);
      std::swap(workspace_.trialPose, memory_.sparePose);
      break;
    }
    return best;
  }

  void adaptLambda(double ratio, double curvature) {
    if (ratio > 0.75) lambda_ *= 0.1;
    else if (ratio < 0.25) lambda_ *= 2.0;
    if (lambda_ < 1e-6 * curvature) lambda_ = 0.0;
  }

  /// Called if the predicted decrease is zero or only rounding. If the Hessian of f itself is positive definite, the
  /// pose is a minimum, which one last full step polishes. Otherwise it is a saddle, which is left.
  Move settle() {
    if (triedExact_) return Move::Stalled;  // the undamped step does not lower f, and a damped one has nothing to gain
    triedExact_ = true;
    ofPulls_ = Curvature::Exact;
    lambda_ = 0.0;
    exactMultipliers(objective_, workspace_.current, memory_.multipliers);
    memory_.system.assemble(objective_, workspace_.current, memory_.multipliers);
    if (!memory_.system.factor(0.0, workspace_.freeSpace)) return leaveSaddle();
    memory_.system.solve(workspace_.direction);
    const double decrement = -workspace_.gradient.dot(workspace_.direction);
    if (!isAtFloor_ && !isNegligible(decrement)) return findMove();
    converging_ = true;
    if (workspace_.direction.isZero(0.0) || memory_.system.stepNorm(workspace_.direction) > kMaxStep)
      return Move::Converged;
    moveWithin(objective_, pose_, workspace_.direction, workspace_);
    if (!(loop_.evaluateTrial() <= loop_.objective())) return Move::Converged;
    return polish();
  }

  /// Accepts the trial, or goes back if that is no nearer to a minimum: if H is nearly singular, a step that predicts
  /// no decrease may be long, and f may curve along it.
  Move polish() {
    const double before = loop_.projectedGradientNorm();
    loop_.acceptTrial();
    if (loop_.projectedGradientNorm() <= before) return Move::Accepted;
    loop_.acceptTrial();
    return Move::Converged;
  }

  Move leaveSaddle() {
    double curvature = memory_.system.curvatureDirection(workspace_.direction);
    Eigen::VectorXd& v = workspace_.direction;
    if (isAtFloor_ && !(curvature < -kFlat * memory_.rounding.stiffest() * dampingNorm(memory_.system, v)))
      curvature = 0.0;
    v /= std::max(stepNorm(objective_, v), 1e-300);
    fixSign(v);
    if (curvature < 0.0)
      for (const double sign : {1.0, -1.0})
        if (searchAlong(sign)) return Move::Accepted;
    // f is flat in that direction to within rounding, or limits block it. This counts as a minimum if nothing is left
    // to gain at the least damping.
    converging_ = true;
    if (isAtFloor_) return Move::Converged;
    if (!factor()) return Move::Stalled;
    memory_.system.solve(workspace_.direction);
    if (isNegligible(-workspace_.gradient.dot(workspace_.direction))) return Move::Converged;
    converging_ = false;
    return findMove();
  }

  /// The longest of kMaxStep / 2^k along +-direction that lowers f by more than rounding.
  bool searchAlong(double sign) {
    workspace_.direction *= sign;
    double factorSoFar = 1.0;
    for (int halvings = 0; halvings < kMaxHalvings; ++halvings) {
      moveWithin(objective_, pose_, workspace_.direction, workspace_);
      if (loop_.evaluateTrial() < loop_.objective() - loop_.rounding()) {
        loop_.acceptTrial();
        return true;
      }
      workspace_.direction *= 0.5;
      factorSoFar *= 0.5;
    }
    workspace_.direction /= factorSoFar * sign;
    return false;
  }

  NewtonMemory& memory_ = workspace_.memoryOf<NewtonMemory>();
  double& lambda_ = memory_.damping;
  bool isAtFloor_ = false;                ///< the gradient is only rounding
  Curvature ofPulls_ = Curvature::Exact;  ///< in this iteration
  bool triedExact_ = false;               ///< in this iteration: H of f itself, undamped
  bool converging_ = false;               ///< the last step has been taken
};

}  // namespace

SolveStatus iterateGlobalisedNewton(const Objective& objective, Pose& pose, const GlobalisedNewtonOptions& options,
                                    Workspace& workspace, SolveLoop& loop) {
  GlobalisedNewtonRun run(objective, pose, options, workspace, loop);
  if (loop.iterationsOfPhase() == 0) run.begin(loop.isWarm());
  return run.iterate();
}

const TypedSolver<GlobalisedNewtonOptions>& GlobalisedNewtonOptions::solver() {
  static const TypedSolver solver(kGlobalisedNewtonInfo, iterateGlobalisedNewton, solvePlanarChain);
  return solver;
}

}  // namespace limber
