// SPDX-License-Identifier: MIT
#include "limber/solvers/methods/planar_newton.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "limber/objective/sweep/planar_system.h"

namespace limber {

namespace {

constexpr std::string_view kPlanarPhase = "newton";
constexpr double kPlanarMet = 1e-9;          // radians, metres: tolerance for violated limits of locked joints
constexpr double kPlanarDecrease = 1e-4;     // of the decrease that the slope predicts
constexpr double kMaxSwing = 1.5;            // radians of a segment in one step: beyond, its sine has little slope
constexpr double kPlanarGoodRatio = 0.75;    // of the predicted decrease: below, try second-order corrections
constexpr double kPlanarGoodProgress = 0.5;  // of f before a step: the goals' part of f after a good step
constexpr int kPlanarCorrections = 3;
constexpr int kPlanarAttempts = 80;
constexpr int kPlanarHalvings = 40;
constexpr double kNear = 1e-3;            // of f: after a step that predicted less, the minimum is near
constexpr double kPlanarRoundings = 8.0;  // a predicted decrease of this many roundings of f counts as none

/// State that is kept between the slices of a solve, and from solve to solve.
class PlanarMemory final : public SolverMemory {
 public:
  PlanarChain chain;
  PlanarSystem system;
  PlanarPulls multipliers;  ///< weigh the curvature
  PlanarPulls curvedness, best, none;
  bool running = false;
  bool isNear = false;     ///< the minimum is near: weigh the curvature by w e
  bool elsewhere = false;  ///< the solve began at the arc
  bool moved = false;      ///< the chain has moved since the system was placed
  double lambda = 0.0;
  double before = 0.0;  ///< f of the given pose, by the chain's own arithmetic
  Pose given;           ///< at the first slice
  Pose written;         ///< at the end of the last one
};

class PlanarRun {
 public:
  PlanarRun(const Objective& objective, Pose& pose, const GlobalisedNewtonOptions& options, Workspace& workspace,
            PlanarMemory& memory, const Budget& budget, Observer* observer)
      : objective_(objective), pose_(pose), options_(options), workspace_(workspace), memory_(memory),
        system_(memory.system), budget_(budget), observer_(observer) {}

  void begin(Start start) {
    const bool isWarm = start == Start::Warm && memory_.multipliers.size() == memory_.chain.goals().size();
    system_.bind(memory_.chain);
    system_.place(pose_);
    memory_.none.assign(memory_.chain.goals().size(), Eigen::Vector2d::Zero());
    memory_.curvedness = memory_.best = memory_.none;
    if (!isWarm) {
      memory_.multipliers = memory_.none;
      memory_.lambda = 0.0;
    }
    memory_.isNear = memory_.elsewhere = memory_.moved = false;
    memory_.given = pose_;
    memory_.before = system_.objective();
    workspace_.progress = {};
    workspace_.progress.running = true;
    workspace_.progress.objectiveBefore = system_.objective();
    workspace_.progress.evaluations = 1;
    workspace_.history.clear();
    workspace_.history.reserve(kHistoryCapacity);
    if (start == Start::Anywhere) placeOnArc();
    workspace_.history.push_back({0, system_.objective(), system_.gradientNorm(), 0.0, 0.0});
  }

  Summary solve() {
    SolveStatus status = iterate();
    // The arc was no better: begin at the pose itself.
    while (memory_.elsewhere && status != SolveStatus::BudgetSpent && status != SolveStatus::Cancelled &&
           !(system_.objective() < memory_.before)) {
      memory_.elsewhere = memory_.moved = memory_.isNear = false;
      memory_.multipliers = memory_.none;
      memory_.lambda = 0.0;
      system_.place(memory_.given);
      status = iterate();
    }
    return finish(status);
  }

 private:
  enum class Move { Accepted, Converged, Stalled };

  SolveStatus iterate() {
    while (workspace_.progress.iterations[0] < options_.maxIterations) {
      if (spent_ >= budget_.iterations) return SolveStatus::BudgetSpent;
      triedExact_ = converging_ = wasRaised_ = false;
      const Move move = findMove();
      if (move != Move::Accepted) return move == Move::Converged ? SolveStatus::Converged : SolveStatus::Stalled;
      const bool mayGoOn = endIteration();
      if (converging_) return SolveStatus::Converged;
      if (!mayGoOn) return SolveStatus::Cancelled;
    }
    return SolveStatus::IterationCap;
  }

  /// A decrease below this counts as none.
  double negligible() const { return options_.tolerance * system_.objective() + kPlanarRoundings * system_.rounding(); }

  void setExactMultipliers() {
    for (std::size_t k = 0; k < memory_.multipliers.size(); ++k)
      memory_.multipliers[k] = memory_.chain.goals()[k].weight * system_.residuals()[k];
  }

  /// Raises lambda until H + lambda is positive definite.
  bool factor() {
    if (memory_.isNear) {
      // Use the multipliers of a minimum.
      setExactMultipliers();
      isExact_ = system_.factor(memory_.multipliers, 0.0);
      if (isExact_) {
        memory_.lambda = 0.0;
        return true;
      }
      memory_.isNear = false;
    }
    isExact_ = false;
    for (int attempt = 0; attempt < kPlanarAttempts; ++attempt) {
      if (system_.factor(memory_.multipliers, memory_.lambda)) return true;
      raiseLambda();
    }
    return false;
  }

  void raiseLambda() {
    // A chain of n links under a force F buckles where lambda is about F reach / n times (n / pi)^2; the first guess is
    // far below.
    double force = 0.0;
    for (const Eigen::Vector2d& nu : memory_.multipliers) force += nu.norm();
    const double n = memory_.chain.count();
    const double guess = 2e-5 * force * memory_.chain.reach() * n + system_.rounding();
    memory_.lambda = memory_.lambda > 0.0 ? 5.0 * memory_.lambda : guess;
    wasRaised_ = true;
  }

  Move findMove() {
    for (int attempt = 0; attempt < kPlanarAttempts; ++attempt) {
      if (!factor()) return Move::Stalled;
      system_.step(memory_.none);
      ++workspace_.progress.evaluations;
      const double decrement = system_.decrement();
      if (!std::isfinite(decrement)) return Move::Stalled;
      if (std::abs(decrement) <= negligible()) return settle(decrement);
      if (decrement < 0.0) {  // H is so nearly singular that the step is rounding
        memory_.isNear = false;
        raiseLambda();
        continue;
      }
      if (system_.largestSwing() > kMaxSwing) {
        memory_.isNear = false;
        memory_.lambda = std::max(4.0 * memory_.lambda, 0.25 * decrement / system_.squaredStep());
        continue;
      }
      const double before = system_.objective();
      const double promised = 0.5 * (decrement + memory_.lambda * system_.squaredStep());
      const double curvature = decrement / system_.squaredStep();
      if (!(before - system_.trialObjective() >= kPlanarGoodRatio * promised)) correct();
      if (system_.trialObjective() <= before - kPlanarDecrease * decrement) {
        adapt((before - system_.trialObjective()) / promised, curvature, decrement);
        accept();
        return Move::Accepted;
      }
      memory_.isNear = false;
      memory_.lambda = std::max(4.0 * memory_.lambda, 0.1 * curvature);
    }
    return Move::Stalled;
  }

  /// Adds second-order corrections as long as they help, and keeps the best trial.
  void correct() {
    memory_.curvedness = memory_.none;
    double best = system_.trialObjective();
    for (int round = 0; round < kPlanarCorrections; ++round) {
      memory_.best = memory_.curvedness;
      for (std::size_t k = 0; k < memory_.curvedness.size(); ++k)
        memory_.curvedness[k] +=
            system_.trialResiduals()[k] - system_.multipliers()[k] / memory_.chain.goals()[k].weight;
      system_.step(memory_.curvedness);
      ++workspace_.progress.evaluations;
      if (system_.trialObjective() < best && system_.largestSwing() <= 2.0 * kMaxSwing) {
        best = system_.trialObjective();
        continue;
      }
      system_.step(memory_.best);
      return;
    }
  }

  void adapt(double ratio, double curvature, double decrement) {
    double& lambda = memory_.lambda;
    if (ratio > 0.75) lambda *= wasRaised_ ? 0.1 : 1e-3;
    else if (ratio < 0.25) lambda *= 2.0;
    if (lambda < 1e-6 * curvature) lambda = 0.0;
    memory_.isNear = lambda == 0.0 && decrement <= kNear * system_.objective() && ratio > 0.5;
  }

  /// Weighs the new curvature by the step's multipliers if the goals did well, else by w e.
  void accept() {
    const double before = system_.objective();
    stepNorm_ = system_.largestTurn();
    memory_.multipliers = system_.multipliers();
    memory_.moved = true;
    system_.accept();
    if (!(system_.goalPart() < kPlanarGoodProgress * before)) setExactMultipliers();
  }

  /// Called if the predicted decrease is zero. The pose is a minimum if the Hessian of f itself is positive definite.
  Move settle(double decrement) {
    if (!isExact_) {
      if (triedExact_) return Move::Stalled;
      triedExact_ = true;
      setExactMultipliers();
      memory_.lambda = 0.0;
      if (!system_.factor(memory_.multipliers, 0.0)) return leaveSaddle();
      isExact_ = true;
      system_.step(memory_.none);
      ++workspace_.progress.evaluations;
      decrement = system_.decrement();
      if (!(std::abs(decrement) <= negligible())) {
        memory_.isNear = true;
        return findMove();
      }
    }
    converging_ = true;
    if (decrement <= system_.rounding() || !(system_.trialObjective() <= system_.objective()) ||
        system_.largestSwing() > kMaxSwing)
      return Move::Converged;
    accept();
    return Move::Accepted;
  }

  Move leaveSaddle() {
    do raiseLambda();
    while (!system_.factor(memory_.multipliers, memory_.lambda));
    // The least lambda, within a tenth: the lowest curvature then stands out.
    double low = 0.0, high = memory_.lambda;
    for (int i = 0; i < 60 && high - low > 0.1 * high; ++i) {
      const double middle = low > 0.0 ? std::sqrt(low * high) : 0.2 * high;
      (system_.factor(memory_.multipliers, middle) ? high : low) = middle;
      if (high < system_.rounding()) break;
    }
    const double curvature = system_.findLowestCurvature(memory_.multipliers, high);
    memory_.lambda = 0.0;
    if (curvature < 0.0)
      for (const double sign : {1.0, -1.0})
        if (searchAlong(sign)) return Move::Accepted;
    // f is flat in that direction to within rounding. This counts as a minimum if nothing is left to gain at the least
    // damping.
    if (!system_.factor(memory_.multipliers, high)) return Move::Stalled;
    system_.step(memory_.none);
    converging_ = std::abs(system_.decrement()) <= negligible();
    return converging_ ? Move::Converged : Move::Stalled;
  }

  /// The longest of 2^-k radians along the curvature that lowers f by more than rounding.
  bool searchAlong(double sign) {
    for (int halvings = 0; halvings < kPlanarHalvings; ++halvings) {
      system_.stepAlongCurvature(halvings == 0 ? sign : 0.5);
      ++workspace_.progress.evaluations;
      if (system_.trialObjective() >= system_.objective() - kPlanarRoundings * system_.rounding()) continue;
      accept();
      memory_.multipliers = memory_.none;
      return true;
    }
    system_.stepAlongCurvature(sign * std::ldexp(1.0, kPlanarHalvings - 1) * sign);
    return false;
  }

  /// An arc of a circle from the base to the goal, of the chain's length: sin(h) / h = distance / length, with h half
  /// of its angle. The function chooses the one of the two arcs that has the lower f. It applies to chains that are
  /// straight at rest, with one goal.
  void placeOnArc() {
    const PlanarChain& chain = memory_.chain;
    const auto& rests = chain.rests();
    if (chain.goals().size() != 1 || !(chain.reach() > 0.0) ||
        std::any_of(rests.begin() + 1, rests.end(), [](double rest) { return std::abs(rest) > 1e-9; }))
      return;
    const Eigen::Vector2d target = chain.goals()[0].target;
    const double share = target.norm() / chain.reach();
    double low = 0.0, high = std::numbers::pi;
    for (int i = 0; i < 60; ++i) {
      const double middle = 0.5 * (low + high);
      (std::sin(middle) > share * middle ? low : high) = middle;
    }
    const double half = low, toGoal = std::atan2(target.y(), target.x());
    double best = 0.0, bestSide = 0.0;
    for (const double side : {1.0, -1.0}) {
      placeOnArc(toGoal, side * half);
      if (bestSide == 0.0 || system_.objective() < best) {
        best = system_.objective();
        bestSide = side;
      }
    }
    if (bestSide == 1.0) placeOnArc(toGoal, half);
    workspace_.progress.evaluations += 3;
    memory_.elsewhere = memory_.moved = true;
  }

  void placeOnArc(double toGoal, double half) {
    const PlanarChain& chain = memory_.chain;
    const double first = chain.rests()[0] + wrapAngle(toGoal - half - chain.rests()[0]);
    double along = 0.0;
    system_.placeBy([&](int i) {
      const double length = chain.lengths()[i];
      const double direction = first + 2.0 * half * (along + 0.5 * length) / chain.reach();
      along += length;
      return direction;
    });
  }

  /// False if the observer cancelled.
  bool endIteration() {
    ++workspace_.progress.iterations[0];
    ++spent_;
    const IterationRecord record{0, system_.objective(), system_.gradientNorm(), stepNorm_, memory_.lambda};
    if (workspace_.history.size() < kHistoryCapacity) workspace_.history.push_back(record);
    else workspace_.history.back() = record;
    if (!observer_) return true;
    system_.writePose(pose_);
    return observer_->onIteration(record, pose_);
  }

  /// Writes the pose and its values in the workspace. If the value that the Objective computes has risen, even by
  /// rounding, the given pose stays.
  Summary finish(SolveStatus status) {
    pose_ = memory_.given;
    bool isShown = memory_.moved && system_.objective() < memory_.before;
    if (isShown) {
      system_.writePose(pose_);
      objective_.evaluate(pose_, workspace_.current);
      if (!(memory_.before - system_.objective() > 100.0 * (system_.rounding() + workspace_.current.rounding))) {
        const double after = workspace_.current.objective;
        workspace_.progress.objectiveBefore = objective_.evaluate(memory_.given, workspace_.current);
        isShown = after < workspace_.current.objective;
        if (isShown) objective_.evaluate(pose_, workspace_.current);
        else pose_ = memory_.given;
      }
    } else {
      workspace_.progress.objectiveBefore = objective_.evaluate(pose_, workspace_.current);
    }
    if (isShown || !memory_.moved) system_.copyGradient(workspace_.gradient);
    else objective_.computeGradient(workspace_.current, workspace_.gradient);
    objective_.feasibleSet().findFreeSpace(pose_, workspace_.gradient, workspace_.freeSpace);
    memory_.written = pose_;
    memory_.running = workspace_.progress.running = status == SolveStatus::BudgetSpent;
    Summary summary;
    summary.status = status;
    summary.phaseCount = 1;
    summary.phases[0] = {kPlanarPhase, workspace_.progress.iterations[0]};
    summary.evaluations = workspace_.progress.evaluations;
    summary.objectiveBefore = workspace_.progress.objectiveBefore;
    summary.objective = workspace_.current.objective;
    summary.gradientNorm = workspace_.gradient.cwiseAbs().maxCoeff();
    return summary;
  }

  const Objective& objective_;
  Pose& pose_;
  const GlobalisedNewtonOptions& options_;
  Workspace& workspace_;
  PlanarMemory& memory_;
  PlanarSystem& system_;
  const Budget& budget_;
  Observer* observer_;
  int spent_ = 0;
  double stepNorm_ = 0.0;
  bool isExact_ = false;     ///< the factors are of the Hessian of f itself, undamped
  bool triedExact_ = false;  ///< in this iteration
  bool wasRaised_ = false;   ///< lambda was raised in this iteration
  bool converging_ = false;  ///< the last step has been taken
};

}  // namespace

std::optional<Summary> solvePlanarChain(const Objective& objective, Pose& pose, const GlobalisedNewtonOptions& options,
                                        Workspace& workspace, const Budget& budget, Start start, Observer* observer) {
  PlanarMemory& memory = workspace.memoryOf<PlanarMemory>();
  const bool resumes = start == Start::Resume && workspace.progress.running;
  if (resumes && !memory.running) return std::nullopt;
  PlanarRun run(objective, pose, options, workspace, memory, budget, observer);
  if (resumes && pose == memory.written) return run.solve();
  memory.running = false;
  if (!isValid(objective.figure(), pose)) return std::nullopt;
  objective.feasibleSet().project(pose);
  if (!memory.chain.take(objective, pose) || objective.feasibleSet().violation(pose) > kPlanarMet) return std::nullopt;
  run.begin(start);
  return run.solve();
}

}  // namespace limber
