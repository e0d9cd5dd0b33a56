// SPDX-License-Identifier: MIT
#include "limber/solvers/methods/multi_start.h"

#include <algorithm>

#include "limber/solvers/methods/globalised_newton.h"
#include "limber/solvers/option_table.h"
#include "limber/solvers/steps/arm_starts.h"
#include "limber/solvers/steps/meet_goals.h"
#include "limber/solvers/steps/random_pose.h"

namespace limber {

namespace {

constexpr std::string_view kMultiStartPhases[] = {"first", "restarts"};
constexpr OptionInfo kMultiStartOptions[] = {
    option<&MultiStartOptions::restarts>("restarts", "Restarts", "", 0, 100000,
                                         "Runs from random poses, at most, while the goals are not met."),
    option<&MultiStartOptions::answers>(
        "answers", "Answers to compare", "", 1, 1000,
        "Restarts end when this many have met the goals; the answer nearest to the start wins."),
    option<&MultiStartOptions::tolerance>("tolerance", "Goals are met within", "mean links, rad", 0.0, 1.0,
                                          "A goal is met when the norm of its residual is at most this.", kLogarithmic),
    option<&MultiStartOptions::maxIterations>("maxIterations", "Iteration cap of a run", "", 1, 100000,
                                              "Each run of the default solver ends after this many iterations."),
    option<&MultiStartOptions::seed>("seed", "Seed", "", 0, 4294967295.0,
                                     "Seed of the random poses: the same seed gives the same poses."),
};
constexpr SolverInfo kMultiStartInfo{
    .name = "multi-start",
    .title = "Find any pose",
    .description =
        "The default solver from the pose, then from random poses within the limits, until the goals are "
        "met; of several answers the nearest wins. Runs without progress are stopped early.",
    .limits = LimitHandling::Exact,
    .options = kMultiStartOptions,
    .phases = kMultiStartPhases,
    .isMonotone = false,  // a restart begins higher, and the goals win over the pull
    .searchSolver = "multi-start",
};

// A run makes no progress if f has fallen by less than this fraction over this many iterations, and the rest of f is
// due to the goals, not the pull to rest. Measured on arms: one run in a hundred that would have met the goals is lost.
constexpr std::size_t kWatched = 4;
constexpr double kHeadway = 0.25;
constexpr double kGoalsShare = 0.5;
constexpr int kMaxRestartIterations = 60;

enum class Stage { First, Restarts, FinishFirst, FinishBest, Done };

struct MultiStartMemory final : SolverMemory {
  Workspace first;  ///< of the run from the start, which is completed after the restarts if it was stopped early
  Workspace run;    ///< of the other runs, one after the other
  Pose pose;        ///< the iterate of the current run
  Pose begin;       ///< start of the current restart
  Pose start;       ///< start of the solve, within the limits
  Pose firstPose;   ///< where the first run was stopped
  Pose best;        ///< the answer so far
  bool bestMeets = false;
  bool bestIsOpen = false;  ///< best was stopped early, so that f can still fall
  double bestObjective = 0.0;
  double bestDistance = 0.0;
  Stage stage = Stage::First;
  bool isRunning = false;    ///< a run waits to be resumed
  bool firstIsOpen = false;  ///< the first run was stopped early
  SolveStatus bestStatus = SolveStatus::Stalled;
  int runs = 0, answers = 0;
  ArmStarts arm;  ///< starts of the first restarts, found when they are needed
  RandomStream random;
  std::array<double, kWatched> falls{};  ///< ring buffer: f of the last iterates
  int iterations = 0;                    ///< of the current run
  Evaluation iterate;                    ///< for a run that does not evaluate its iterates
  MeetGoalsWorkspace meeting;
  Pose meetingPose;
};

class MultiStartRun final : public SolverRun<MultiStartOptions>, public Observer {
 public:
  using SolverRun::SolverRun;

  SolveStatus iterate() {
    if (!loop_.isResumed()) begin();
    const SolveStatus status = go();
    loop_.summary().restarts = memory_.runs;
    if (!(pose_ == shown())) {
      workspace_.trialPose = shown();
      loop_.evaluateTrial();
      loop_.acceptTrial();
    }
    return status;
  }

  bool onIteration(const IterationRecord& record, const Pose& pose) override {
    IterationRecord own = record;
    own.phase = loop_.phase();
    const bool mayGoOn = loop_.note(own, pose) || loop_.status() == SolveStatus::BudgetSpent;  // not of the run
    if (!mayGoOn) return false;
    const double before = memory_.falls[static_cast<std::size_t>(memory_.iterations) % kWatched];
    memory_.falls[static_cast<std::size_t>(memory_.iterations++) % kWatched] = record.objective;
    const Evaluation& iterate = evaluationOf(record, pose);
    if (meets(iterate)) left_ = Left::Met;
    else if (!isFinishing() && isHopeless(iterate, record.objective, before)) left_ = Left::Hopeless;
    return left_ == Left::No;
  }

 private:
  enum class Left { No, Met, Hopeless };

  void begin() {
    memory_.start = memory_.best = pose_;
    memory_.bestObjective = workspace_.current.objective;
    memory_.bestMeets = meets(workspace_.current);
    memory_.bestIsOpen = !memory_.bestMeets;
    memory_.bestDistance = 0.0;
    memory_.bestStatus = memory_.bestMeets ? SolveStatus::Converged : SolveStatus::Stalled;
    memory_.stage = memory_.bestMeets ? Stage::Done : Stage::First;
    memory_.isRunning = memory_.firstIsOpen = false;
    memory_.runs = memory_.answers = 0;
    memory_.random = RandomStream(options_.seed);
  }

  /// Runs until the budget is spent, the observer cancels, or there is an answer.
  SolveStatus go() {
    while (memory_.stage != Stage::Done) {
      if (loop_.iterationsLeft() <= 0) return SolveStatus::BudgetSpent;
      if (!memory_.isRunning) startRun();
      loop_.startPhase(memory_.stage == Stage::First ? 0 : 1);
      left_ = Left::No;
      const GlobalisedNewtonOptions newton{.maxIterations = options_.maxIterations};
      const Start begin = memory_.isRunning ? Start::Resume : Start::Here;
      const Summary summary =
          newton.solver().solve(objective_, memory_.pose, newton, run(), {loop_.iterationsLeft()}, begin, this);
      memory_.isRunning = summary.status == SolveStatus::BudgetSpent;
      if (memory_.isRunning) return SolveStatus::BudgetSpent;
      workspace_.progress.evaluations += summary.evaluations;
      if (loop_.status() == SolveStatus::Cancelled) return takeLast();
      if (summary.status != SolveStatus::Cancelled) left_ = Left::No;  // it ended by itself
      endRun(summary.status);
    }
    return memory_.bestStatus;
  }

  /// Sets the pose to the answer so far, or to the current run's iterate if f is lower there and there is no answer.
  const Pose& shown() {
    const bool runLeads = memory_.isRunning && !memory_.bestMeets && run().current.objective < memory_.bestObjective;
    return runLeads ? memory_.pose : memory_.best;
  }

  Workspace& run() {
    return memory_.stage == Stage::First || memory_.stage == Stage::FinishFirst ? memory_.first : memory_.run;
  }
  bool isFinishing() const { return memory_.stage == Stage::FinishFirst || memory_.stage == Stage::FinishBest; }

  /// True if at least one goal has a weight, and all such goals are met.
  bool meets(const Evaluation& evaluation) const {
    return asks_ && missedBy(objective_, evaluation) <= options_.tolerance;
  }

  /// The run's own evaluation, or one made here: a planar chain's iterates are not evaluated
  /// (solvers/methods/planar_newton.h).
  const Evaluation& evaluationOf(const IterationRecord& record, const Pose& pose) {
    const Evaluation& current = run().current;
    if (current.residuals.size() == objective_.goals().size() && current.objective == record.objective) return current;
    objective_.evaluate(pose, memory_.iterate);
    ++workspace_.progress.evaluations;
    return memory_.iterate;
  }

  bool isHopeless(const Evaluation& iterate, double f, double before) {
    if (memory_.stage == Stage::Restarts && memory_.iterations >= kMaxRestartIterations) return true;
    if (memory_.iterations <= static_cast<int>(kWatched) || f <= (1.0 - kHeadway) * before) return false;
    double goals = 0.0;
    for (std::size_t k = 0; k < iterate.residuals.size(); ++k) goals += objective_.goalValue(iterate, k);
    return goals > kGoalsShare * f;
  }

  /// Sets the pose to the start of a new run.
  void startRun() {
    memory_.iterations = 0;
    switch (memory_.stage) {
      case Stage::First:
      case Stage::FinishFirst: memory_.pose = memory_.start; break;
      case Stage::Restarts:
        if (memory_.runs == 0) findArmStarts(objective_, memory_.start, options_.answers, memory_.arm);
        if (memory_.runs < memory_.arm.count) memory_.pose = memory_.arm.poses[memory_.runs];
        else randomizePose(objective_, memory_.first.freeSpace, memory_.start, memory_.random, memory_.pose);
        memory_.begin = memory_.pose;
        break;
      case Stage::FinishBest: memory_.pose = memory_.best; break;
      case Stage::Done: break;
    }
  }

  void endRun(SolveStatus status) {
    bool met = meets(run().current);
    // If the pull has led the run astray, the goals alone may succeed from the start of the run.
    if (!met && left_ == Left::No)
      met = meetFrom(memory_.pose) || (memory_.stage == Stage::Restarts && meetFrom(memory_.begin));
    if (met) status = SolveStatus::Converged;
    if (memory_.stage == Stage::First && left_ == Left::Hopeless) {
      memory_.firstPose = memory_.pose;
      memory_.firstIsOpen = true;
    }
    take(met, status);
    if (memory_.stage == Stage::Restarts) memory_.runs += 1;
    memory_.answers += met;
    chooseStage(met);
  }

  /// Decides how to continue after a run.
  void chooseStage(bool met) {
    const bool isSettled = met && memory_.stage != Stage::Restarts;  // the first run, or one that finished
    const bool hasRuns = memory_.runs < options_.restarts && objective_.activeCount() > 0;
    if (isSettled || memory_.answers >= options_.answers) memory_.stage = Stage::Done;
    else if (!isFinishing() && hasRuns && asks_) memory_.stage = Stage::Restarts;
    else if (memory_.bestMeets) memory_.stage = Stage::Done;
    else if (!isFinishing() && memory_.firstIsOpen) memory_.stage = Stage::FinishFirst;
    else if (memory_.stage != Stage::FinishBest && memory_.bestIsOpen && !(memory_.best == memory_.firstPose))
      memory_.stage = Stage::FinishBest;
    else memory_.stage = Stage::Done;
  }

  /// Makes the run's pose the answer if it is better: goals met first, then distance from the start, else f.
  void take(bool met, SolveStatus status) {
    const double f = run().current.objective;
    const double distance = distanceFromStart();
    const bool isBetter = met != memory_.bestMeets ? met
                          : met                    ? distance < memory_.bestDistance
                                                   : f <= memory_.bestObjective;
    if (!isBetter) return;
    memory_.best = memory_.pose;
    memory_.bestMeets = met;
    memory_.bestObjective = f;
    memory_.bestDistance = distance;
    memory_.bestStatus = status;
    memory_.bestIsOpen = left_ == Left::Hopeless;
  }

  /// Ends a run that the caller's observer has cancelled.
  SolveStatus takeLast() {
    take(meets(run().current), SolveStatus::Cancelled);
    memory_.stage = Stage::Done;
    return SolveStatus::Cancelled;
  }

  double distanceFromStart() {
    difference(objective_.figure(), memory_.start, memory_.pose, run().step);
    double sum = 0.0;
    for (const int c : objective_.active()) sum += objective_.metric()[c] * run().step[c] * run().step[c];
    return sum;
  }

  /// Continues from a pose with only the goals. False if this does not meet them; the run's pose is then unchanged.
  bool meetFrom(const Pose& from) {
    if (!asks_) return false;
    Pose& pose = memory_.meetingPose;
    pose = from;
    const MeetGoalsSummary summary = meetGoals(objective_, pose, {.tolerance = options_.tolerance}, memory_.meeting);
    workspace_.progress.evaluations += summary.evaluations;
    if (!summary.met) return false;
    memory_.pose = pose;
    objective_.evaluate(memory_.pose, run().current);
    return true;
  }

  MultiStartMemory& memory_ = workspace_.memoryOf<MultiStartMemory>();
  const bool asks_ = std::any_of(objective_.goals().begin(), objective_.goals().end(),
                                 [](const auto& goal) { return goal->weight() > 0.0; });  ///< a goal has a weight
  Left left_ = Left::No;
};

}  // namespace

const TypedSolver<MultiStartOptions>& MultiStartOptions::solver() {
  static const TypedSolver solver(kMultiStartInfo, iterate<MultiStartRun>);
  return solver;
}

}  // namespace limber
