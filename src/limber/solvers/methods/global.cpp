// SPDX-License-Identifier: MIT
#include "limber/solvers/methods/global.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "limber/goals/position_goal.h"
#include "limber/solvers/convex/best_pose.h"
#include "limber/solvers/convex/global_pose.h"
#include "limber/solvers/methods/globalised_newton.h"
#include "limber/solvers/option_table.h"
#include "limber/solvers/steps/random_pose.h"

namespace limber {

namespace {

constexpr std::string_view kGlobalPhases[] = {"relaxation", "refinement"};
constexpr OptionInfo kGlobalOptions[] = {
    option<&GlobalSearchOptions::starts>("starts", "Random starts", "", 0, 100000,
                                         "Tried after the rest pose and the relaxation until a fit is exact; every "
                                         "second one is first solved without limits."),
    option<&GlobalSearchOptions::tolerance>("tolerance", "Exact fit", "mean links, rad", 0.0, 1.0,
                                            "The search ends when f is at most its value for residuals of this size.",
                                            kLogarithmic),
    option<&GlobalSearchOptions::maxIterations>(
        "maxIterations", "Iteration cap of a start", "", 1, 100000,
        "The default solver refines each start for at most this many iterations."),
    option<&GlobalSearchOptions::seed>("seed", "Seed", "", 0, 4294967295.0,
                                       "Seed of the random poses: the same seed gives the same poses."),
};
constexpr SolverInfo kGlobalInfo{
    .name = "global",
    .title = "Global (convex relaxation)",
    .description =
        "Independent of the start: refines a convex relaxation, the rest pose and a few random poses; the "
        "lowest f wins (Yenamandra and others 2019).",
    .limits = LimitHandling::Exact,
    .options = kGlobalOptions,
    .phases = kGlobalPhases,
    .isMonotone = false,  // f may rise at each new start
    .seesOneSidedGoals = false,
    .refusal = [](const Objective& objective) { return refuseForRelaxation(objective, "the global search"); },
    .searchSolver = "global",
};

enum class GlobalStage { Neutral, Relaxation, Projected, FromRoot, WithoutLimits, Random, Done };

struct GlobalMemory final : SolverMemory {
  std::optional<GlobalMethod> method;  ///< relaxation of this solve
  std::optional<Objective> unlimited;  ///< only the positions, without limits
  Workspace run, unlimitedRun;
  FreeSpace space;  ///< of any pose; randomizePose() reads it
  Kinematics kinematics;
  std::vector<PointPair> pairs;
  std::vector<PointGoal> points;
  RandomStream random;
  Pose neutral;
  Pose pose;      ///< the iterate of the current run
  BestPose best;  ///< the answer so far
  GlobalStage stage = GlobalStage::Neutral;
  bool isRunning = false;  ///< a run waits to be resumed
  int starts = 0;          ///< number of random starts that have begun
};

/// The objective with only the positions, and couplings but no limits.
Objective withoutLimits(const Objective& objective, std::span<const PointGoal> points) {
  const Figure& figure = objective.figure();
  Limits limits = limitsOf(figure);
  std::fill(limits.intervals.begin(), limits.intervals.end(), Interval());
  std::fill(limits.balls.begin(), limits.balls.end(), BallLimits());
  std::fill(limits.linearLimitEnabled.begin(), limits.linearLimitEnabled.end(), 0);
  for (std::size_t k = 0; k < figure.couplings().size(); ++k)
    limits.couplingEnabled[k] =
        objective.feasibleSet().couplings().isFollower(figure.joint(figure.couplings()[k].follower).stepIndex);
  std::vector<std::unique_ptr<Goal>> goals;
  for (const PointGoal& p : points)
    goals.push_back(std::make_unique<PositionGoal>(p.link, p.pointInLink, p.target, p.weight, 1.0));
  const std::shared_ptr<const Figure> borrowed(std::shared_ptr<const void>(), &figure);  // the objective keeps it
  const std::vector<double> none(figure.linkCount(), 0.0);
  return {borrowed, std::move(goals), Regulariser(figure, restPose(figure), none), FeasibleSet(figure, limits),
          objective.active()};
}

/// Wraps angles to the turn nearest to the middle of their limits.
void wrapInside(const Objective& objective, const Limits& limits, Pose& pose) {
  const Figure& figure = objective.figure();
  for (int i = 0; i < figure.linkCount(); ++i) {
    const Interval& interval = limits.intervals[i];
    if (figure.joint(i).type != JointType::Revolute || objective.activeIndex(figure.joint(i).stepIndex) < 0) continue;
    if (!std::isfinite(interval.lower) || !std::isfinite(interval.upper)) continue;
    const double middle = 0.5 * (interval.lower + interval.upper);
    double& q = pose.coordinates[figure.joint(i).poseIndex];
    q = middle + wrapAngle(q - middle);
  }
  objective.feasibleSet().project(pose);
}

class GlobalSearch final : public SolverRun<GlobalSearchOptions>, public Observer {
 public:
  using SolverRun::SolverRun;

  SolveStatus iterate() {
    if (!loop_.isResumed()) begin(pose_);
    const SolveStatus status = go();
    memory_.best.show(pose_, workspace_, loop_);
    return status;
  }

  bool onIteration(const IterationRecord& record, const Pose& pose) override {
    IterationRecord own = isWithoutLimits() ? memory_.best.record : record;  // do not show poses outside the limits
    own.phase = 1;
    return loop_.note(own, isWithoutLimits() ? memory_.best.pose : pose) || loop_.status() == SolveStatus::BudgetSpent;
  }

 private:
  void begin(const Pose& start) {
    memory_.best.begin(start, loop_);
    memory_.isRunning = false;
    memory_.starts = 0;
    memory_.random = RandomStream(options_.seed);
    memory_.method.reset();
    memory_.unlimited.reset();
    memory_.stage = GlobalStage::Neutral;
    if (objective_.activeCount() == 0) {
      memory_.best.status = SolveStatus::Converged;
      memory_.stage = GlobalStage::Done;
      return;
    }
    collectSeenPoints(objective_, memory_.points);
    memory_.neutral = start;
    toNeutral(objective_, memory_.points, memory_.kinematics, memory_.pairs, memory_.neutral);
    objective_.feasibleSet().findFreeSpace(memory_.neutral, Eigen::VectorXd::Zero(objective_.activeCount()),
                                           memory_.space);
  }

  /// Runs until the budget is spent, the observer cancels, or all starts are done.
  SolveStatus go() {
    while (memory_.stage != GlobalStage::Done) {
      if (loop_.iterationsLeft() <= 0) return SolveStatus::BudgetSpent;
      if (memory_.stage == GlobalStage::Relaxation ? !relax() : !advanceRun()) return loop_.status();
    }
    return memory_.best.status;
  }

  bool isWithoutLimits() const { return memory_.stage == GlobalStage::WithoutLimits; }

  /// False if the observer cancels.
  bool relax() {
    loop_.startPhase(0);
    IterationRecord record = memory_.best.record;
    record.phase = 0;
    memory_.method.emplace(objective_, limits(), memory_.neutral);
    memory_.method->relax(objective_, {}, [&](const InteriorPointSummary&) {
      return loop_.note(record, memory_.best.pose) || loop_.status() == SolveStatus::BudgetSpent;
    });
    if (loop_.status() == SolveStatus::Cancelled) {
      memory_.stage = GlobalStage::Done;
      return false;
    }
    nextStage();
    return true;
  }

  /// False if the solve must pause or end in the middle of a run.
  bool advanceRun() {
    const Start begin = memory_.isRunning ? Start::Resume : startRun();
    loop_.startPhase(1);
    const GlobalisedNewtonOptions newton{.maxIterations = options_.maxIterations};
    const Summary summary = newton.solver().solve(isWithoutLimits() ? *memory_.unlimited : objective_, memory_.pose,
                                                  newton, run(), {loop_.iterationsLeft()}, begin, this);
    memory_.isRunning = summary.status == SolveStatus::BudgetSpent;
    if (memory_.isRunning) return false;
    workspace_.progress.evaluations += summary.evaluations;
    if (!isWithoutLimits()) memory_.best.take(memory_.pose, summary);
    if (loop_.status() == SolveStatus::Cancelled) {
      memory_.stage = GlobalStage::Done;
      return false;
    }
    nextStage();
    return true;
  }

  Workspace& run() { return isWithoutLimits() ? memory_.unlimitedRun : memory_.run; }

  /// Sets the pose to the start of a new run.
  Start startRun() {
    switch (memory_.stage) {
      case GlobalStage::Neutral: memory_.pose = memory_.neutral; break;
      case GlobalStage::Projected: memory_.method->round(objective_, false, memory_.pose); break;
      case GlobalStage::FromRoot: memory_.method->round(objective_, true, memory_.pose); break;
      case GlobalStage::WithoutLimits:
        if (!memory_.unlimited) memory_.unlimited.emplace(withoutLimits(objective_, memory_.points));
        randomize();
        break;
      case GlobalStage::Random:
        if (memory_.starts % 2 == 1) randomize();
        else wrapInside(objective_, limits(), memory_.pose);
        break;
      default: break;
    }
    return Start::Here;
  }

  void randomize() {
    randomizePose(objective_, memory_.space, memory_.neutral, memory_.random, memory_.pose);
    layRootsOnto(objective_, memory_.points, memory_.kinematics, memory_.pairs, memory_.pose);
  }

  void nextStage() {
    if (isExact()) {
      memory_.best.status = SolveStatus::Converged;
      memory_.stage = GlobalStage::Done;
      return;
    }
    switch (memory_.stage) {
      case GlobalStage::Neutral: memory_.stage = GlobalStage::Relaxation; break;
      case GlobalStage::Relaxation:
        if (memory_.method->fault().empty()) memory_.stage = GlobalStage::Projected;
        else startRandom();
        break;
      case GlobalStage::Projected: memory_.stage = GlobalStage::FromRoot; break;
      case GlobalStage::WithoutLimits: memory_.stage = GlobalStage::Random; break;
      default: startRandom(); break;
    }
  }

  void startRandom() {
    if (memory_.starts >= options_.starts) {
      memory_.stage = GlobalStage::Done;
      return;
    }
    const bool isSecond = ++memory_.starts % 2 == 0;
    memory_.stage = isSecond ? GlobalStage::WithoutLimits : GlobalStage::Random;
  }

  bool isExact() const {
    double weights = 0.0;
    for (const auto& goal : objective_.goals()) weights += goal->weight();
    return memory_.best.objective <= 0.5 * options_.tolerance * options_.tolerance * weights;
  }

  const Limits& limits() {
    if (limits_.intervals.empty()) limits_ = intervalsOf(objective_, memory_.neutral);
    return limits_;
  }

  GlobalMemory& memory_ = workspace_.memoryOf<GlobalMemory>();
  Limits limits_;
};

}  // namespace

const TypedSolver<GlobalSearchOptions>& GlobalSearchOptions::solver() {
  static const TypedSolver solver(kGlobalInfo, iterate<GlobalSearch>);
  return solver;
}

}  // namespace limber
