// SPDX-License-Identifier: MIT
#include "posing/posing.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "posing/outcome.h"
#include "posing/problem.h"
#include "solvers/registry.h"

namespace limber {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kHoldRounds = 5;           // of multiplier updates
constexpr double kHoldTolerance = 1e-5;  // mean link lengths
constexpr double kUnlatchTurn = 0.5;     // radians, mean link lengths: enough to bring a straight knee past its toes
constexpr double kUnlatchGain = 0.5;     // what is left of f must be less than this part of it

double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

}  // namespace

struct Posing::State {
  Problem problem;
  const Solver* solver = nullptr;
  OptionValues options;
  Workspace workspace;
  Pose pose;
  double reachedTolerance = 0.0;  ///< metres
  bool running = false;
  bool resume = false;
  int holdRound = 0;
  std::array<int, 2> iterationsBefore = {0, 0};  ///< of earlier rounds
  double objectiveBefore = 0.0;                  ///< of the first round
  enum class Unlatch { Untried, Running, Done } unlatch = Unlatch::Untried;
  Pose latchedPose;              ///< where the solve stood before the attempt
  double latchedObjective = 0.0;
  double msPerIteration = 0.01;
  PosingReport report;

  bool fail(std::string fault) {
    running = false;
    report.outcome = Outcome::BadInput;
    report.sentence = std::move(fault);
    return false;
  }

  /// Shifts the target of each hold by its residual. False when all are met or the rounds are spent.
  bool shiftHolds() {
    if (holdRound >= kHoldRounds) return false;
    double worst = 0.0;
    const Objective& objective = *problem.objective;
    const Kinematics& kinematics = workspace.current.kinematics;
    for (PosedGoal& goal : problem.goals) {
      if (!goal.isHold) continue;
      const Eigen::Vector3d error =
          kinematics.worldFromLink[static_cast<std::size_t>(goal.link)] * goal.pointInLink - goal.target;
      worst = std::max(worst, error.norm());
      goal.shift -= error;
      goal.goal->setTarget(goal.target + goal.shift);
    }
    ++holdRound;
    return worst > kHoldTolerance * objective.figure().meanLinkLength();
  }

  /// One slice; true when the solve has ended.
  bool run(const Document& document, int iterations) {
    report.summary = solver->solve(*problem.objective, pose, options, workspace, {iterations}, resume);
    resume = report.summary.status == SolveStatus::BudgetSpent;
    const bool isFirstRound = iterationsBefore == std::array<int, 2>{0, 0} && unlatch == Unlatch::Untried && holdRound == 0;
    if (isFirstRound) objectiveBefore = report.summary.objectiveBefore;
    report.summary.objectiveBefore = objectiveBefore;
    for (std::size_t i = 0; i < iterationsBefore.size(); ++i)
      report.summary.phases[i].iterations += iterationsBefore[i];
    if (resume) return false;
    if (report.summary.status == SolveStatus::BadInput) return true;
    if (unlatch == Unlatch::Running) endUnlatch();
    else if (unlatch == Unlatch::Untried && isLatched(document)) beginUnlatch();
    const bool goesOn = unlatch == Unlatch::Running || shiftHolds();
    for (std::size_t i = 0; i < iterationsBefore.size(); ++i)
      iterationsBefore[i] = report.summary.phases[i].iterations;
    return !goesOn;
  }

  /// Coordinates that a limit holds, (active order).
  std::vector<int> heldCoordinates() const {
    std::vector<int> held;
    const Objective& objective = *problem.objective;
    for (int k = 0; k < objective.activeCount(); ++k)
      if (objective.feasibleSet().isHeld(pose, objective.active()[static_cast<std::size_t>(k)], workspace.gradient[k]))
        held.push_back(k);
    return held;
  }

  /// True when the default solver ended with a goal unmet that nothing proves to be out of reach, while a limit holds
  /// a joint: pulled by its toes, a straight leg presses its knee against the stop instead of bending it. Only the
  /// default solver is helped; the assignment's methods stay what they are.
  bool isLatched(const Document& document) const {
    if (solver != allSolvers().front() || heldCoordinates().empty()) return false;
    const Kinematics& kinematics = workspace.current.kinematics;
    return std::any_of(problem.goals.begin(), problem.goals.end(), [&](const PosedGoal& goal) {
      const Eigen::Vector3d place = kinematics.worldFromLink[static_cast<std::size_t>(goal.link)] * goal.pointInLink;
      return !goal.isHold && (place - goal.target).norm() > reachedTolerance &&
             !isProvedOutOfReach(document, *problem.objective, kinematics, goal);
    });
  }

  /// Takes the held joints off their limits, as far as the limits on the other side allow, and solves again from there.
  void beginUnlatch() {
    const Objective& objective = *problem.objective;
    latchedPose = pose;
    latchedObjective = report.summary.objective;
    Eigen::VectorXd step = Eigen::VectorXd::Zero(objective.activeCount()), scratch;
    for (const int k : heldCoordinates()) {
      const double turn = kUnlatchTurn / std::sqrt(objective.metric()[objective.active()[static_cast<std::size_t>(k)]]);
      step[k] = workspace.gradient[k] > 0.0 ? turn : -turn;
    }
    objective.move(latchedPose, step, scratch, pose);
    unlatch = Unlatch::Running;
  }

  /// Keeps the new pose where it is clearly better, else goes back.
  void endUnlatch() {
    unlatch = Unlatch::Done;
    if (report.summary.objective < kUnlatchGain * latchedObjective) return;
    pose = latchedPose;
    report.summary.objective = problem.objective->evaluate(pose, workspace.current);
    problem.objective->computeGradient(workspace.current, workspace.gradient);
  }

  /// The pose to show: an attempt to unlatch is not, until it is found to be better.
  const Pose& shownPose() const { return unlatch == Unlatch::Running ? latchedPose : pose; }

  void judge(const Document& document, bool ended) {
    Kinematics kinematics;  // computed anew: a report does not trust the solver
    computeTransforms(*document.figure, shownPose(), kinematics);
    report.goals.clear();
    report.worstError = 0.0;
    for (const PosedGoal& goal : problem.goals) {
      GoalReport entry;
      entry.id = goal.id;
      entry.error = (kinematics.worldFromLink[static_cast<std::size_t>(goal.link)] * goal.pointInLink - goal.target).norm();
      entry.reached = entry.error <= reachedTolerance;
      entry.outOfReach = isProvedOutOfReach(document, *problem.objective, kinematics, goal);
      report.worstError = std::max(report.worstError, entry.error);
      report.goals.push_back(entry);
    }
    report.limitedJoints.clear();
    const bool isSolved = report.summary.status != SolveStatus::BadInput;
    for (const int k : isSolved ? heldCoordinates() : std::vector<int>{}) {
      const int coordinate = problem.objective->active()[static_cast<std::size_t>(k)];
      const auto joints = document.figure->joints();
      const auto owner = std::find_if(joints.begin(), joints.end(), [&](const Joint& joint) {
        return joint.stepIndex == coordinate && stepSize(joint.type) == 1;
      });
      report.limitedJoints.push_back(static_cast<int>(owner - joints.begin()));
    }
    report.outcome = ended ? outcomeOf(report) : Outcome::BudgetSpent;
    report.sentence = sentenceOf(*document.figure, report);
  }
};

Posing::Posing() : state_(std::make_unique<State>()) {}
Posing::~Posing() = default;

bool Posing::start(const Document& document, const PosingRequest& request) {
  State& s = *state_;
  s.report = {};
  s.running = false;
  s.resume = false;
  s.holdRound = 0;
  s.iterationsBefore = {0, 0};
  s.unlatch = State::Unlatch::Untried;
  s.solver = findSolver(document.solver.solver);
  std::string fault;
  s.options = solverOptions(document.solver, fault);
  if (!fault.empty()) return s.fail(std::move(fault));
  s.problem = makeProblem(document, request);
  if (!s.problem.fault.empty()) return s.fail(s.problem.fault);
  if (const int count = s.problem.objective->activeCount(); s.solver->needsDenseHessian() && count > kMaxDenseCoordinates)
    return s.fail(tooManyCoordinates(count));
  s.reachedTolerance = document.solver.reachedTolerance * document.figure->meanLinkLength();
  s.pose = document.pose;
  s.running = true;
  return true;
}

bool Posing::isRunning() const { return state_->running; }

bool Posing::advance(Document& document, int iterations) {
  State& s = *state_;
  if (!s.running) return true;
  const Clock::time_point start = Clock::now();
  const bool ended = s.run(document, iterations);
  if (ended) {
    s.running = false;
    if (s.report.summary.status != SolveStatus::BadInput) {
      wrapAngles(*document.figure, s.pose);
      clampToLimits(document, s.pose);
    }
  }
  if (isValid(*document.figure, s.shownPose())) document.pose = s.shownPose();
  s.judge(document, ended);
  s.report.timeMs = millisecondsSince(start);
  s.report.totalMs += s.report.timeMs;
  return ended;
}

bool Posing::advanceFor(Document& document, double milliseconds) {
  State& s = *state_;
  const Clock::time_point start = Clock::now();
  while (s.running) {
    const double left = milliseconds - millisecondsSince(start);
    const int slice = std::clamp(static_cast<int>(0.5 * left / s.msPerIteration), 1, 1000);
    const int before = s.report.summary.iterations();
    const bool ended = advance(document, slice);
    const int done = std::max(1, s.report.summary.iterations() - before);
    s.msPerIteration = std::max(1e-4, s.report.timeMs / done);
    if (ended) break;
    if (millisecondsSince(start) + s.msPerIteration > milliseconds) break;
  }
  s.report.timeMs = millisecondsSince(start);
  return !s.running;
}

void Posing::cancel() {
  if (!state_->running) return;
  state_->running = false;
  state_->report.outcome = Outcome::Cancelled;
  state_->report.sentence = outcomeName(Outcome::Cancelled);
}

const PosingReport& Posing::report() const { return state_->report; }
const std::vector<IterationRecord>& Posing::history() const { return state_->workspace.history; }

PosingReport solveToEnd(Posing& posing, Document& document, const PosingRequest& request) {
  if (posing.start(document, request))
    while (!posing.advance(document, std::numeric_limits<int>::max())) {}
  return posing.report();
}

}  // namespace limber
