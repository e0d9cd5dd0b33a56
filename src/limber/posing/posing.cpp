// SPDX-License-Identifier: MIT
#include "limber/posing/posing.h"

#include <chrono>
#include <limits>
#include <utility>

#include "limber/body/mirror.h"
#include "limber/objective/limits/loop_projection.h"
#include "limber/posing/active_limits.h"
#include "limber/posing/answer_derivative.h"
#include "limber/posing/held_back.h"
#include "limber/posing/local_minimum.h"
#include "limber/posing/mirror_images.h"
#include "limber/posing/outcome.h"
#include "limber/posing/refinements/refinements.h"

namespace limber {

namespace {

using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// Radians, mean link lengths: after a shorter step that closes loops, a minimum is not verified anew. Multipliers
/// leave 1e-5 of a loop; where levers are short, coordinates move by some times that.
constexpr double kShortClosing = 1e-4;

/// Clears a report, and keeps its memory.
void clear(PosingReport& report) {
  PosingReport cleared;
  const auto keep = [](auto& memory, auto& from) {
    memory = std::move(from);
    memory.clear();
  };
  keep(cleared.goals, report.goals);
  keep(cleared.limb, report.limb);
  keep(cleared.heldFeet, report.heldFeet);
  keep(cleared.limitedJoints, report.limitedJoints);
  keep(cleared.activeLimits, report.activeLimits);
  keep(cleared.contacts, report.contacts);
  report = std::move(cleared);
}

}  // namespace

/// What determines the projection onto closed loops.
struct LoopsOrigin {
  std::shared_ptr<const Figure> figure = {};
  std::vector<int> active = {};
  std::vector<JointSettings> joints = {};
  std::vector<char> couplingEnabled = {}, linearLimitEnabled = {};
  bool operator==(const LoopsOrigin&) const = default;
};

struct Posing::State {
  Solve solve;
  WeakPull weakPull;
  MultiplierUpdates multiplierUpdates;
  LimitEscape limitEscape;
  OtherBend otherBend;
  LiveBranches liveBranches;
  ContactRounds contactRounds;
  ArmDetour armDetour;
  GoalsFirst goalsFirst;
  std::optional<Stages> stages;  ///< of a path-independent solve
  GoalSearch search;
  Kinematics shownKinematics;  ///< of the pose that is shown
  PosingReport report;
  LocalMinimum localMinimum;
  HeldBackFinder heldBack;
  LoopProjection loops;       ///< of the solve's active coordinates
  LoopsOrigin loopsOrigin;    ///< what `loops` was made from
  std::vector<char> presses;  ///< one entry per live contact at the shown pose: 1 if it presses; empty if not known
  Pose unwrapped;             ///< of wrap()
  Eigen::VectorXd closing;    ///< of closeLoops()
  FreeSpace space;            ///< of judge()

  /// False if nothing can be solved; the report then says why.
  bool start(const IkProblem& problem, const PosingRequest& request) {
    clear(report);
    stages.reset();
    if (isNatural(problem, request)) return startNatural(problem, request);
    if (!problem.solver.pathIndependent || request.anywhere) return begin(problem, request);
    solve.forget();
    stages.emplace(problem, request);
    return begin(stages->problem(), stages->request());
  }

  /// Begins at the prior's mean. It uses only the heading of the problem's pose, if there are few targets, and its
  /// support.
  bool startNatural(const IkProblem& problem, PosingRequest asked) {
    solve.forget();
    asked.natural = true;
    asked.startPose = problem.pose;
    const PosedProblem placed = makeProblem(problem, asked);
    if (!placed.fault.empty()) return fail(placed.fault);
    IkProblem fromMean = problem;
    fromMean.pose = naturalStart(problem, placed);
    return begin(fromMean, asked);
  }

  /// Lists the refinements in the order in which they are called.
  bool begin(const IkProblem& problem, const PosingRequest& request) {
    solve.refinements = {&weakPull,          &limitEscape,   &otherBend, &liveBranches,
                         &multiplierUpdates, &contactRounds, &armDetour};
    if (stages) solve.refinements.push_back(&*stages);
    solve.refinements.push_back(&goalsFirst);
    solve.refinements.push_back(&search);
    if (!solve.begin(problem, request)) return fail(solve.fault);
    takeLoops(problem);
    return true;
  }

  /// Keeps the projection of the last solve if it is the same, as in the events of a drag.
  void takeLoops(const IkProblem& problem) {
    const bool hasLoops = !problem.figure->loops().empty();
    if (!hasLoops && loops.isEmpty()) return;
    const Objective& objective = *solve.posed.objective;
    LoopsOrigin origin{problem.figure, objective.active(), problem.joints, problem.couplingEnabled,
                       problem.linearLimitEnabled};
    if (origin == loopsOrigin) return;
    loops = hasLoops ? LoopProjection(problem.figure, objective.feasibleSet(), objective.active()) : LoopProjection();
    loopsOrigin = std::move(origin);
  }

  /// Multiplier updates leave a thousandth of a millimetre of a loop, and a projection closes it. Its multiplier, which
  /// that remainder is a part of, remains: a minimum stays one, to first order in the step that closes the loops.
  void closeLoops() {
    if (loops.isEmpty()) return;
    Pose pose = solve.pose;
    loops.close(pose);
    if (pose == solve.pose) return;
    for (const PosedLoop& loop : solve.posed.loops)
      solve.posed.objective->setResidualShift(loop.place, solve.workspace.current.residuals[loop.place]);
    difference(*loopsOrigin.figure, solve.pose, pose, closing);
    const bool isShort =
        closing.cwiseAbs().maxCoeff() <= kShortClosing * std::min(1.0, loopsOrigin.figure->meanLinkLength());
    if (isShort) solve.moveTo(pose, solve.summary.status);
    else moveTo(pose);
  }

  bool fail(std::string fault) {
    solve.isRunning = false;
    report.outcome = Outcome::BadInput;
    report.sentence = std::move(fault);
    return false;
  }

  /// Moves to a pose at which the solver has not been, which is converged only if it is a minimum.
  void moveTo(const Pose& moved) {
    solve.moveTo(moved, solve.summary.status);
    if (solve.summary.status == SolveStatus::Converged && !localMinimum.isAt(*solve.posed.objective, solve.pose))
      solve.summary.status = SolveStatus::Stalled;
  }

  /// Makes the pose symmetric. The problem is, but a solver or different limits may have made the pose asymmetric.
  void keepSymmetric(IkProblem& problem, bool ended) {
    Pose symmetric = problem.pose;
    makeSymmetric(problem, *problem.symmetry, leadingSide(problem, *solve.request), symmetric);
    if (symmetric == problem.pose) return;
    problem.pose = symmetric;
    if (ended && solve.summary.status != SolveStatus::BadInput)
      moveTo(symmetric);  // the report is about the shown pose
  }

  /// The pose to show; null to keep the shown one. Never the pose of a trial or a stage, nor a pose that penetrates an
  /// obstacle.
  const Pose* shownPose(const Figure& figure, bool ended) {
    if (ended) return &solve.pose;
    if (const Pose* best = search.bestPose()) return best;
    if (stages || solve.request->meetsHolds) return nullptr;
    const Pose& shown = solve.fallback ? solve.fallback->pose : solve.pose;
    if (!solve.contacts.isNeeded() || !solve.solver->seesOneSidedGoals()) return &shown;
    computeTransforms(figure, shown, shownKinematics);
    return solve.contacts.isClear(shownKinematics) ? &shown : nullptr;
  }

  /// Wraps angles that exceed a turn. For the pull to rest this is another pose, so the summary is computed anew.
  void wrap(const IkProblem& problem) {
    unwrapped = solve.pose;
    wrapAngles(*problem.figure, solve.pose);
    solve.posed.objective->feasibleSet().project(solve.pose);
    if (solve.pose == unwrapped) return;
    IkProblem now = problem;
    now.pose = solve.pose;
    PosedProblem wrapped = solve.variant(now, nullptr);
    if (!wrapped.objective) return;
    solve.posed = std::move(wrapped);
    const RelaxationSummary said = solve.summary.relaxation;
    moveTo(now.pose);
    solve.summary.relaxation = said;  // full turns change no place
  }

  void judge(const IkProblem& problem, bool ended) {
    report.summary = solve.summary;
    if (stages && !ended) {
      report.outcome = Outcome::BudgetSpent;
      report.sentence = "solving from the base pose";
      return;
    }
    judgeGoals(problem, solve.posed, shownKinematics, report);
    judgeStaying(problem);
    if (!problem.figure->loops().empty())
      report.openLoops = openLoopsOf(*problem.figure, transformsOf(*problem.figure, problem.pose));
    judgeContacts(problem, ended && report.summary.status != SolveStatus::BadInput);
    report.activeLimits.clear();
    if (report.summary.status != SolveStatus::BadInput && !solve.fallback)
      findActiveLimits(*solve.posed.objective, solve.pose, solve.workspace.gradient, space, report.activeLimits);
    findLimitedJoints(*problem.figure, report.activeLimits, report.limitedJoints);
    report.outcome = ended ? outcomeOf(report) : Outcome::BudgetSpent;
    findWhatHolds(problem);
    report.sentence = sentenceOf(*problem.figure, report);
    for (const Obstacle& obstacle : problem.obstacles) {
      const std::string fault = findFault(obstacle, problem.figure->linkCount());
      if (obstacle.enabled && !fault.empty()) report.sentence += "; " + fault;
    }
    if (problem.selfAvoidance != SelfAvoidance::All) return;
    if (const std::string fault = selfAvoidanceFault(*problem.figure); !fault.empty()) report.sentence += "; " + fault;
  }

  /// For a pose at limits or nearest found: checks that it is a minimum, and finds the cause.
  void findWhatHolds(const IkProblem& problem) {
    report.heldBy = HeldBy::Nothing;
    report.holder.clear();
    if (report.outcome != Outcome::AtLimits && report.outcome != Outcome::NearestFound) return;
    const bool isMinimum = localMinimum.isAt(*solve.posed.objective, solve.pose);
    HeldBack held = heldBack.find(problem, *solve.request, solve.branches, solve.posed, solve.liveContacts(), report);
    if (!isMinimum && (solve.request->drags() || !held.isMinimum)) {
      report.outcome = Outcome::Stalled;
      return;
    }
    report.activeLimits = std::move(held.limits);
    findLimitedJoints(*problem.figure, report.activeLimits, report.limitedJoints);
    report.heldBy = held.by;
    report.holder = std::move(held.holder);
    report.outcome = report.activeLimits.empty() ? Outcome::NearestFound : Outcome::AtLimits;
  }

  void judgeStaying(const IkProblem& problem) {
    const Staying& staying = *solve.request->staying;
    report.limb.clear();
    if (staying.isOn()) report.limb = staying.limb();
    report.heldFeet = staying.heldFeet();
    const bool isShown = solve.pose == problem.pose;
    if (staying.isOn() && !isShown) computeTransforms(*problem.figure, problem.pose, shownKinematics);
    const Kinematics& shown = isShown ? solve.workspace.current.kinematics : shownKinematics;
    report.bodyMoved = staying.isOn() && staying.hasBodyMoved(shown);
  }

  void judgeContacts(const IkProblem& problem, bool isEvaluated) {
    report.contacts.clear();
    presses.clear();
    if (!solve.contacts.isNeeded()) return;
    report.seesContacts = solve.solver->seesOneSidedGoals();
    if (!report.seesContacts) {
      report.contacts = findContacts(problem);
      return;
    }
    computeTransforms(*problem.figure, problem.pose, shownKinematics);
    if (isEvaluated) presses = solve.findPresses();
    solve.contacts.report(problem, shownKinematics, presses, report.contacts);
    nameTheLimbFirst(*problem.figure);
  }

  /// Orders the links of a contact so that the dragged one is stopped by the other.
  void nameTheLimbFirst(const Figure& figure) {
    if (!solve.request->staying->isOn()) return;
    const std::vector<char>& limb = solve.request->staying->limb();
    for (ContactReport& contact : report.contacts) {
      if (contact.otherLink < 0 || limb[contact.link] || !limb[contact.otherLink]) continue;
      std::swap(contact.link, contact.otherLink);
      contact.other = figure.link(contact.otherLink).name;
      contact.point += std::min(contact.clearance, 0.0) * contact.normal;
      contact.point -= std::max(contact.clearance, 0.0) * contact.normal;  // onto the other link's surface
      contact.normal = -contact.normal;
    }
  }
};

Posing::Posing() : state_(std::make_unique<State>()) {}
Posing::~Posing() = default;
Posing::Posing(Posing&&) noexcept = default;
Posing& Posing::operator=(Posing&&) noexcept = default;

bool Posing::start(const IkProblem& problem, const PosingRequest& request) {
  const Clock::time_point start = Clock::now();
  const bool isStarted = state_->start(problem, request);
  state_->report.totalMs = millisecondsSince(start);
  return isStarted;
}
bool Posing::isRunning() const { return state_->solve.isRunning; }
void Posing::observe(Observer* observer) { state_->solve.observer = observer; }

int Posing::activeCount() const {
  const auto& objective = state_->solve.posed.objective;
  return objective ? objective->activeCount() : 0;
}

bool Posing::advance(IkProblem& problem, int iterations) {
  State& s = *state_;
  Solve& solve = s.solve;
  if (!solve.isRunning) return true;
  const Clock::time_point start = Clock::now();
  if (!s.stages) solve.problem = &problem;
  const bool ended = solve.advance(iterations);
  if (!solve.fault.empty()) {
    s.fail(solve.fault);
    return true;
  }
  if (ended && solve.summary.status != SolveStatus::BadInput) {
    s.closeLoops();
    s.wrap(problem);
    solve.noteTrail();
  }
  const Pose* shown = s.shownPose(*problem.figure, ended);
  if (shown && isValid(*problem.figure, *shown)) problem.pose = *shown;
  if (shown && !ended && isValid(*problem.figure, problem.pose)) s.loops.close(problem.pose);
  if (problem.symmetry) s.keepSymmetric(problem, ended);
  s.judge(problem, ended);
  if (ended && s.presses.size() == solve.contacts.live().size()) solve.contacts.keepPressing(s.presses);
  s.report.timeMs = millisecondsSince(start);
  s.report.totalMs += s.report.timeMs;
  return ended;
}

void Posing::cancel() {
  if (!state_->solve.isRunning) return;
  state_->solve.isRunning = false;
  state_->report.outcome = Outcome::Cancelled;
  state_->report.sentence = outcomeName(Outcome::Cancelled);
}

const PosingReport& Posing::report() const { return state_->report; }

AnswerDerivative Posing::derivative() const {
  const Solve& solve = state_->solve;
  if (solve.isRunning || solve.summary.status == SolveStatus::BadInput || !solve.fault.empty())
    return {.fault = "there is no answer to differentiate: solve first"};
  return answerDerivative(solve.posed, solve.pose);
}

const std::vector<IterationRecord>& Posing::history() const { return state_->solve.workspace.history; }

const PosingReport& solveToEnd(Posing& posing, IkProblem& problem, const PosingRequest& request) {
  if (posing.start(problem, request))
    while (!posing.advance(problem, std::numeric_limits<int>::max())) {
    }
  return posing.report();
}

}  // namespace limber
