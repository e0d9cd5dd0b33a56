// SPDX-License-Identifier: MIT
#include "limber/posing/posing.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <utility>

#include "limber/posing/active_limits.h"
#include "limber/posing/backward_bends.h"
#include "limber/posing/certify.h"
#include "limber/posing/hard_goals.h"
#include "limber/posing/local_minimum.h"
#include "limber/posing/mirror_images.h"
#include "limber/posing/outcome.h"
#include "limber/posing/reach.h"
#include "limber/posing/report.h"
#include "limber/posing/stages.h"
#include "limber/posing/trail.h"
#include "limber/problem/goal_error.h"
#include "limber/problem/mirror.h"
#include "limber/solvers/registry.h"

namespace limber {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double kUnlatchTurn = 0.5;     // radians, mean link lengths: enough to bring a straight knee past its toes
constexpr double kUnlatchGain = 0.5;     // what is left of f must be less than this part of it
constexpr double kTryAgain = 0.5;        // mean link lengths that a drag's target goes between such attempts in vain
constexpr double kWeakPull = 1e-3;       // of the goals' weight: enough to choose among the poses that meet them
constexpr double kMsPerCoordinate = 2e-4; // of an iteration at least, while none has been timed: a short first slice
constexpr const char* kSearchSolver = "multi-start";
constexpr int kMaxSwitches = 3;          // of live branches within one solve
constexpr int kMaxEntries = 12;          // times that pairs which a solve brings together enter it
constexpr int kMaxCapped = 2;            // such runs of a solver that ended by its cap of iterations: more would, too
constexpr int kMaxPlaneRounds = 4;       // times that the planes between pairs are chosen anew within one solve
constexpr double kPlaneFall = 1e-6;      // of f: what such a round must bring to be followed by another
constexpr double kPress = 1e-9;          // mean link lengths: a smaller force than what holds this far is rounding

double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// The same points of the same links with the same force; where they should go may differ.
bool asksTheSame(const PosedGoal& a, const PosedGoal& b) {
  return a.item.type == b.item.type && a.item.link == b.item.link && a.item.pointInLink == b.item.pointInLink &&
         a.item.weight == b.item.weight && a.isHard == b.isHard && a.place == b.place;
}

/// True when what a solver learnt of one problem helps with the other: only targets and pose have moved.
bool asksTheSame(const PosedProblem& a, const PosedProblem& b) {
  return a.objective && b.objective && &a.objective->figure() == &b.objective->figure() &&
         a.objective->active() == b.objective->active() &&
         std::equal(a.goals.begin(), a.goals.end(), b.goals.begin(), b.goals.end(),
                    [](const PosedGoal& x, const PosedGoal& y) { return asksTheSame(x, y); }) &&
         std::equal(a.contacts.begin(), a.contacts.end(), b.contacts.begin(), b.contacts.end(),
                    [](const PosedContact& x, const PosedContact& y) { return x.pair == y.pair; });
}

/// True when what pulls without a goal, to rest and to what stays, is the same in both: of one value at one pose.
bool pullsTheSame(const PosedProblem& a, const PosedProblem& b) {
  return a.objective->regulariserWeights() == b.objective->regulariserWeights() && a.reference == b.reference;
}

}  // namespace

struct Posing::State {
  /// Everything that the end of a solve leaves.
  struct Answer {
    PosedProblem posed;
    Branches branches;
    Contacts contacts;
    Pose pose;
    SolveStatus status = SolveStatus::Stalled;
    int met = 0;  ///< of the goals that count
  };
  /// Looks farther where a solve has missed goals: solves again from its start, one try after the other.
  struct Search {
    Answer best;
    int asked = 0;                  ///< goals that count
    std::vector<Branches> choices;  ///< one a try: which alternatives count in it
    std::size_t next = 0;
    PhaseCount first;               ///< of the solve that missed
    int iterations = 0;             ///< of the tries that have ended
  };

  PosingRequest request;
  PosedProblem posed;
  const Solver* solver = nullptr;
  OptionValues options;
  Observer* observer = nullptr;
  Workspace workspace;
  HardGoals hardGoals;    ///< kept from solve to solve
  Trail trail;            ///< of a drag in which something stays
  Branches branches;      ///< kept from solve to solve
  std::optional<Stages> stages;  ///< of a path-independent solve
  std::optional<Search> search;
  Contacts contacts;      ///< kept from solve to solve
  int switches = 0;
  int entries = 0, planeRounds = 0, capped = 0;
  /// A pose to which the solve may go back, and how the solver had ended there.
  struct Standing {
    Pose pose;
    double objective = 0.0;
    SolveStatus status = SolveStatus::Stalled;
  };
  Standing clear;                ///< where the present round of planes began; f without what holds pairs apart
  std::vector<char> presses;     ///< one a live pair
  Kinematics shownKinematics;    ///< of the pose that is shown
  Pose pose;
  bool running = false;
  Start begin = Start::Here;  ///< of the next call of the solver
  std::array<int, 2> iterationsBefore = {0, 0};  ///< of earlier runs of the solver
  std::optional<double> objectiveBefore;         ///< of the first run
  /// At better minima than the nearest, each at most once a solve: off the limits that hold it, from limbs that are
  /// folded as far as their targets are near, and bent the other way: first held there, then as is asked.
  enum class Attempt { None, OffLimits, Folded, HeldBend, OtherBend } attempt = Attempt::None;
  bool hasTriedOffLimits = false, hasTriedFolding = false, hasTriedOtherBend = false;
  std::optional<Eigen::Vector3d> triedInVain;  ///< where a drag's target was when neither of the first two helped
  Pose startPose;                ///< of the solve
  Standing kept;                 ///< where the solve stood before the attempt
  std::vector<char> keptMet;     ///< one a goal, there
  double keptGoalPart = 0.0;     ///< of f, there
  PosedProblem askedProblem;          ///< while a bend is held, or a weak pull acts
  bool isPulled = false;         ///< the weak pull of beginPulled acts
  double msPerIteration = 0.01;
  PosingReport report;
  LocalMinimum localMinimum;

  bool fail(std::string fault) {
    running = false;
    report.outcome = Outcome::BadInput;
    report.sentence = std::move(fault);
    return false;
  }

  /// Makes the problem and gets ready to run. False, with the report saying why, when there is nothing to solve.
  bool start(const IkProblem& problem, const PosingRequest& asked, bool hasLearnt) {
    objectiveBefore.reset();
    search.reset();
    switches = entries = planeRounds = capped = 0;
    attempt = Attempt::None;
    hasTriedOffLimits = hasTriedFolding = hasTriedOtherBend = false;
    const std::shared_ptr<const Staying> stayed = std::move(request.staying);
    request = asked;
    request.staying = stayed;
    if (!request.startPose) request.startPose = problem.pose;
    request = wholeRequest(problem, withMirrorImages(problem, request));
    SolverSettings settings = problem.solver;
    if (!asked.solver.empty()) settings.solver = asked.solver;
    const Solver* solverBefore = std::exchange(solver, findSolver(settings.solver));
    std::string fault;
    options = solverOptions(settings, fault);
    if (!fault.empty()) return fail(std::move(fault));
    const PosedProblem before =
        std::exchange(posed, makeProblem(problem, request, {}, nullptr, contacts.guess(problem)));
    if (!posed.fault.empty()) return fail(posed.fault);
    computeTransforms(*problem.figure, problem.pose, shownKinematics);
    branches = chooseBranches(problem, shownKinematics, branches);
    contacts.begin(problem, request, movesOf(*posed.objective));
    if (!branches.empty() || !fitsContacts(posed, liveContacts()))
      posed = makeProblem(problem, request, branches, nullptr, liveContacts());
    else setPlanes(posed, liveContacts());
    if (fault = solver->refusal(*posed.objective); !fault.empty()) {
      if (request.letsFeetGo || request.staying->holds().empty()) return fail(std::move(fault));
      PosingRequest standing = asked;  // a method that moves no root poses what stands on it
      standing.letsFeetGo = true;
      return start(problem, standing, hasLearnt);
    }
    if (fault = findLimitFault(problem, *solver, posed); !fault.empty()) return fail(std::move(fault));
    const int count = posed.objective->activeCount();
    if (solver->needsDenseHessian() && count > kMaxDenseCoordinates) return fail(tooManyCoordinates(count));
    if (hasLearnt && !request.anywhere && solver == solverBefore && asksTheSame(before, posed)) begin = Start::Warm;
    const bool goesOn = asked.followsLast && stayed == request.staying && before.objective && pullsTheSame(before, posed);
    const Ahead ahead = aheadOf(problem, goesOn);
    hardGoals.begin(problem.figure, posed, asked.followsLast, ahead);
    pose = startPose = problem.pose;
    goOn(problem, ahead);
    clear = {.pose = pose};
    msPerIteration = std::max(msPerIteration, kMsPerCoordinate * count);
    beginPulled(problem);
    running = true;
    return true;
  }

  /// Where what is dragged with a limited force should go; null where nothing is.
  const Eigen::Vector3d* pulledTarget() const {
    const auto pulled = std::ranges::find_if(
        posed.goals, [](const PosedGoal& goal) { return goal.isPulled && goal.isLive; });
    return pulled == posed.goals.end() ? nullptr : &pulled->item.target;
  }

  /// What is ahead in the drag; unknown where what was learnt says nothing of it.
  Ahead aheadOf(const IkProblem& problem, bool goesOn) {
    if (!goesOn || !(trail.last() == problem.pose)) trail.forget();
    if (!goesOn) triedInVain.reset();
    const Eigen::Vector3d* target = pulledTarget();
    return begin == Start::Warm && target && !contacts.isNeeded() ? trail.ahead(*target) : Ahead{};
  }

  /// Begins where the drag is guessed to lead, if f is lower there.
  void goOn(const IkProblem& problem, const Ahead& ahead) {
    if (!ahead.isKnown()) return;
    Pose guessed;
    trail.guess(*problem.figure, ahead, guessed);
    posed.objective->feasibleSet().project(guessed);
    const double here = objectiveHere();
    if (!(posed.objective->evaluate(guessed, workspace.current) < here)) return;
    objectiveBefore = here;
    pose = guessed;
  }

  /// f at the problem's pose, where the last event of the drag ended: of its goals alone is anything new.
  double objectiveHere() const {
    double f = trail.rest();
    Residual residual;
    for (std::size_t k = 0; k < posed.objective->goals().size(); ++k) {
      posed.objective->computeResidual(shownKinematics, k, residual);
      f += posed.objective->goalValue(k, residual);
    }
    return f;
  }

  /// From the prior's mean, whatever the pose: only the heading of a body with few targets, and what carries it, are
  /// those of the problem.
  bool startNatural(const IkProblem& problem, PosingRequest asked) {
    forget();
    asked.natural = true;
    asked.startPose = problem.pose;
    const PosedProblem placed = makeProblem(problem, wholeRequest(problem, asked));
    if (!placed.fault.empty()) return fail(placed.fault);
    IkProblem fromMean = problem;
    fromMean.pose = naturalStart(problem, placed);
    return start(fromMean, asked, false);
  }

  /// Rigidity weighs the pull to rest. Without one (Zhao and Badler 1994, whose rigid joints take shorter steps) it
  /// chooses among the poses that meet the goals: the solve first goes with a weak pull to where it begins, then
  /// without. The pull is zero there, so f itself is never higher in the end.
  void beginPulled(const IkProblem& problem) {
    isPulled = false;
    if (!hasIdleRigidities(problem, *posed.objective)) return;
    IkProblem pulled = problem;
    pulled.solver.restWeight = kWeakPull * problem.solver.targetWeight;
    PosedProblem weak = makeProblem(pulled, request, branches, &startPose, liveContacts());
    if (!weak.objective) return;
    HardGoals::copyShifts(posed, weak);
    askedProblem = std::exchange(posed, std::move(weak));
    isPulled = true;
  }

  /// Goes on with what is asked. False when the solve has ended before its time.
  bool letPullGo() {
    isPulled = false;
    posed = std::move(askedProblem);
    const SolveStatus status = report.summary.status;
    if (status != SolveStatus::BadInput && status != SolveStatus::Cancelled) return true;
    if (status == SolveStatus::Cancelled) goBackTo(Pose(pose), status);
    return false;
  }

  /// What earlier solves have left: a path-independent one knows nothing of it.
  void forget() {
    hardGoals = {};
    branches = {};
    contacts = {};
    trail.forget();
    triedInVain.reset();
  }

  /// Begins the next stage. False after the last one, and where the solve has failed.
  bool beginNextStage() {
    const SolveStatus status = report.summary.status;
    if (!stages || status == SolveStatus::BadInput || status == SolveStatus::Cancelled || !stages->next(pose))
      return false;
    begin = Start::Here;
    return start(stages->problem(), stages->request(), false);
  }

  /// One slice; true when the solve has ended. Each end of the solver's may lead to another run of it: off a limit that
  /// blocks, along another branch, or with more force on what is held.
  bool run(const IkProblem& problem, int iterations) {
    report.summary = solver->solve(*posed.objective, pose, options, workspace, {iterations}, begin, observer);
    if (!boundsWhatIsAsked()) report.summary.relaxation = {};
    const bool goesOn = report.summary.status == SolveStatus::BudgetSpent;
    const bool isNear = !posed.contacts.empty() || request.staying->isOn();  // the next run goes on where this one ended
    begin = goesOn ? Start::Resume : isNear ? Start::Warm : Start::Here;
    if (!objectiveBefore) objectiveBefore = report.summary.objectiveBefore;
    report.summary.objectiveBefore = *objectiveBefore;
    countIterations(goesOn);
    if (goesOn) return false;
    if (isPulled) return !letPullGo();
    if (report.summary.status == SolveStatus::BadInput || report.summary.status == SolveStatus::Cancelled) {
      if (attempt != Attempt::None) dropAttempt(report.summary.status);
      return true;
    }
    if (search && metGoals(problem) <= search->best.met) return true;
    if (attempt == Attempt::HeldBend) {
      letBendGo();
      return false;
    }
    if (attempt != Attempt::None) endAttempt(problem);
    // What is dragged with a limited force is missed by what its multiplier has yet to bring, before it is latched.
    const bool bringsFirst = request.staying->isOn();
    if (bringsFirst && hardGoals.update(posed, workspace.current.residuals, pose)) return false;
    if (!hasTriedOffLimits && isLatched(problem) && beginOffLimits()) return false;
    if (!hasTriedFolding && isLatched(problem) && beginFolded(problem)) return false;
    if (beginOtherBend(problem)) return false;
    return !switchBranch(problem) &&
           (bringsFirst || !hardGoals.update(posed, workspace.current.residuals, pose)) && !settleContacts(problem);
  }

  /// False where a bound of the solver's is none of what the problem asks: pins and held points are met by solving
  /// other problems, as are other goals that are shifted, and of goals that are alternatives another may count.
  bool boundsWhatIsAsked() const {
    if (report.summary.relaxation.rank == 0) return true;
    for (std::size_t k = 0; k < posed.objective->goals().size(); ++k)
      if (!posed.objective->residualShift(static_cast<int>(k)).isZero(0.0)) return false;
    std::vector<PointGoal> seen;
    collectSeenPoints(*posed.objective, seen);
    return boundedPoints(posed).size() == seen.size();
  }

  /// Adds those of earlier runs of the solver; all those of a search count as restarts.
  void countIterations(bool goesOn) {
    auto& phases = report.summary.phases;
    if (search) {
      const int tried = search->iterations + report.summary.iterations();
      if (!goesOn) search->iterations = tried;
      phases = {search->first, PhaseCount{"restarts", tried}};
      report.summary.phaseCount = 2;
      return;
    }
    for (std::size_t i = 0; i < iterationsBefore.size(); ++i) {
      phases[i].iterations += iterationsBefore[i];
      if (!goesOn) iterationsBefore[i] = phases[i].iterations;
    }
  }

  /// Goals that count and are met; balance is none of them.
  int metGoals(const IkProblem& problem) const {
    const IkProblem now = withPose(problem);
    Kinematics kinematics;
    computeTransforms(*now.figure, pose, kinematics);
    return static_cast<int>(std::ranges::count_if(posed.goals, [&](const PosedGoal& goal) {
      return goal.isLive && goal.support.empty() && isMet(now, goalErrorOf(now, kinematics, goal.item));
    }));
  }

  /// True where goals that count are missed, and nothing proves that no pose meets them.
  bool missesGoals(const IkProblem& problem) const {
    PosingReport judged;
    if (request.staying->isOn()) return false;  // a pose far from the start moves what should stay
    judgeGoals(withPose(problem), posed, judged);
    const auto misses = [](const GoalReport& goal) { return goal.live && !goal.reached; };
    const auto isProved = [](const GoalReport& goal) { return goal.live && !goal.reached && goal.outOfReach; };
    return std::ranges::any_of(judged.goals, misses) && std::ranges::none_of(judged.goals, isProved);
  }

  /// After a solve has ended: begins the next try. False when there is none, or when all is met; the answer that meets
  /// the most goals, the earliest of them, then stands.
  bool beginNextTry(const IkProblem& problem) {
    const SolveStatus status = report.summary.status;
    const bool isBroken = status == SolveStatus::BadInput || status == SolveStatus::Cancelled;
    if (!search && (isBroken || !beginSearch(problem))) return false;
    if (const int met = isBroken || search->next == 0 ? 0 : metGoals(problem); met > search->best.met)
      search->best = takeAnswer(met);
    while (!isBroken && search->best.met < search->asked && search->next < search->choices.size())
      if (beginTry(problem, search->choices[search->next++])) return true;
    posed = std::move(search->best.posed);
    branches = search->best.branches;
    contacts = std::move(search->best.contacts);
    goBackTo(search->best.pose, isBroken ? status : search->best.status);
    return false;
  }

  Answer takeAnswer(int met) {
    return {std::move(posed), branches, contacts, pose, report.summary.status, met};
  }

  bool beginSearch(const IkProblem& problem) {
    const bool isDefault = solver == allSolvers().front();
    const bool isSearch = solver->name() == kSearchSolver || solver->name() == "global";
    if (!isSearch && !(isDefault && request.searches)) return false;
    if (!missesGoals(problem)) return false;
    std::vector<Branches> choices = otherChoices(withPose(problem), workspace.current.kinematics, branches);
    if (isDefault) choices.insert(choices.begin(), branches);
    if (choices.empty()) return false;
    const int met = metGoals(problem);
    search.emplace(Search{});
    search->choices = std::move(choices);
    search->first = report.summary.phases[0];
    search->asked = static_cast<int>(std::ranges::count_if(posed.goals, [](const PosedGoal& goal) {
      return goal.isLive && goal.support.empty();
    }));
    search->best = takeAnswer(met);
    return true;
  }

  /// False where the solver cannot take these alternatives.
  bool beginTry(const IkProblem& problem, const Branches& choice) {
    if (solver == allSolvers().front()) {
      SolverSettings settings = problem.solver;
      settings.solver = kSearchSolver;
      std::string fault;
      solver = findSolver(kSearchSolver);
      options = solverOptions(settings, fault);
      if (!fault.empty()) options = defaultOptions(*solver);
    }
    IkProblem atStart = problem;
    atStart.pose = startPose;
    const Pose reference = search->best.posed.reference;
    PosedProblem tried = makeProblem(atStart, request, choice, &reference);
    if (!tried.objective || !solver->refusal(*tried.objective).empty()) return false;
    contacts.begin(atStart, request, movesOf(*tried.objective));
    if (!fitsContacts(tried, liveContacts())) tried = makeProblem(atStart, request, choice, &reference, liveContacts());
    posed = std::move(tried);
    branches = choice;
    hardGoals = {};
    hardGoals.begin(problem.figure, posed);
    pose = startPose;
    clear = {.pose = pose};
    entries = planeRounds = capped = 0;
    switches = kMaxSwitches;  // each choice has its own try
    begin = Start::Here;
    return true;
  }

  /// The problem again, with the pairs that are live now.
  void remake(const IkProblem& problem) {
    posed = makeProblem(problem, request, branches, &posed.reference, contacts.live());
    hardGoals.begin(problem.figure, posed);
  }

  void findPresses() {
    presses.clear();
    for (const PosedContact& contact : posed.contacts)
      presses.push_back(workspace.current.residuals[static_cast<std::size_t>(contact.place)].minCoeff() < -kPress);
  }

  /// f without what holds pairs apart: that is no goal of its own.
  double askedObjective() const {
    double f = report.summary.objective;
    for (const PosedContact& contact : posed.contacts) {
      const Residual& residual = workspace.current.residuals[static_cast<std::size_t>(contact.place)];
      f -= 0.5 * contact.goal->weight() * residual.squaredNorm();
    }
    return f;
  }

  /// After the goals are met as far as can be: lets pairs in that were brought together, then chooses the planes anew
  /// where they are in the way, as long as f falls. True when there is something to solve.
  bool settleContacts(const IkProblem& problem) {
    if (!contacts.isNeeded() || !solver->seesOneSidedGoals()) return false;
    const bool mayGoOn = report.summary.status != SolveStatus::IterationCap || ++capped <= kMaxCapped;
    const Contacts::Entry entry = mayGoOn && entries < kMaxEntries ? contacts.enter(workspace.current.kinematics)
                                                                   : Contacts::Entry::None;
    if (entry != Contacts::Entry::None) {
      ++entries;
      if (entry == Contacts::Entry::Deep) pose = clear.pose;
      remake(problem);
      return true;
    }
    const double f = askedObjective();
    if (planeRounds > 0 && f > (1.0 - kPlaneFall) * clear.objective) {
      if (f > clear.objective) goBackTo(clear.pose, clear.status);
      return false;
    }
    if (!mayGoOn) return false;
    clear = {pose, f, report.summary.status};
    findPresses();
    if (planeRounds++ >= kMaxPlaneRounds || !contacts.choosePlanes(workspace.current.kinematics, presses)) return false;
    contacts.goOnFrom(workspace.current.kinematics);
    setPlanes(posed, contacts.live());
    hardGoals.begin(problem.figure, posed);
    return true;
  }

  /// Puts the pose there, with what the problem makes of it.
  void goBackTo(const Pose& before, SolveStatus status) {
    pose = before;
    report.summary.status = status;
    report.summary.relaxation = {};  // which spoke of the solver's own answer
    report.summary.objective = posed.objective->evaluate(pose, workspace.current);
    posed.objective->computeGradient(workspace.current, workspace.gradient);
    report.summary.gradientNorm = freeGradientNorm(*posed.objective, pose, workspace.gradient);
  }

  /// The solver has not been at this pose: it has converged only where there is a minimum.
  void moveTo(const Pose& moved) {
    goBackTo(moved, report.summary.status);
    if (report.summary.status == SolveStatus::Converged && !localMinimum.isAt(*posed.objective, pose))
      report.summary.status = SolveStatus::Stalled;
  }

  /// Both sides alike: what is asked is, but a method, or limits that differ, may have come to less.
  void keepSymmetric(IkProblem& problem, bool ended) {
    Pose symmetric = problem.pose;
    makeSymmetric(problem, *problem.symmetry, leadingSide(problem, request), symmetric);
    if (symmetric == problem.pose) return;
    problem.pose = symmetric;
    if (ended && report.summary.status != SolveStatus::BadInput) moveTo(symmetric);  // it is said of what is shown
  }

  IkProblem withPose(const IkProblem& problem) const {
    IkProblem result = problem;
    result.pose = pose;
    return result;
  }

  /// True when the default solver ended with a goal unmet that nothing proves to be out of reach, while a limit holds
  /// a joint: pulled by its toes, a straight leg presses its knee against the stop instead of bending it. Only the
  /// default solver is helped; the assignment's methods stay what they are.
  bool isLatched(const IkProblem& problem) {
    if (solver != allSolvers().front() || isStoppedByContact() || isTriedHere(problem)) return false;
    std::vector<ActiveLimit> limits;
    findActiveLimits(*posed.objective, pose, workspace.gradient, limits);
    if (limits.empty()) return false;
    const IkProblem now = withPose(problem);
    const Kinematics& kinematics = workspace.current.kinematics;
    return std::any_of(posed.goals.begin(), posed.goals.end(), [&](const PosedGoal& goal) {
      return !goal.isHard && !goal.isGentle && !goal.isExact && goal.isLive &&
             !isMet(now, goalErrorOf(now, kinematics, goal.item)) && !isExplained(now, kinematics, goal);
    });
  }

  /// True in a drag whose target has not gone far since nothing better was found.
  bool isTriedHere(const IkProblem& problem) const {
    const Eigen::Vector3d* target = pulledTarget();
    return target && triedInVain && !hasTriedOffLimits &&
           (*target - *triedInVain).norm() < kTryAgain * problem.figure->meanLinkLength();
  }

  /// True where no pose meets the goal; of what is dragged with a limited force, none of its limb from where that hangs.
  bool isExplained(const IkProblem& now, const Kinematics& kinematics, const PosedGoal& goal) const {
    const auto isProved = [&](const std::vector<char>& moves) {
      return isProvedOutOfReach(now, moves, kinematics, goal.item, now.solver.reachedTolerance);
    };
    return isProved(posed.mayMove) || (goal.isPulled && isProved(request.staying->movesOfLimb(posed.mayMove)));
  }

  bool isStoppedByContact() {
    findPresses();
    return std::find(presses.begin(), presses.end(), 1) != presses.end();
  }

  void keepBefore(Attempt next) {
    attempt = next;
    kept = {pose, report.summary.objective, report.summary.status};
  }

  /// Takes the held joints off their limits, as far as the limits on the other side allow, and solves again from there.
  bool beginOffLimits() {
    Eigen::VectorXd step, scratch;
    hasTriedOffLimits = true;
    if (!stepOffLimits(*posed.objective, pose, workspace.gradient, kUnlatchTurn, step)) return false;
    keepBefore(Attempt::OffLimits);
    posed.objective->move(kept.pose, step, scratch, pose);
    return true;
  }

  /// Solves again from where the solve began, with straight limbs folded.
  bool beginFolded(const IkProblem& problem) {
    hasTriedFolding = true;
    Kinematics kinematics;
    computeTransforms(*problem.figure, startPose, kinematics);
    Pose folded = startPose;
    if (!foldLimbs(problem, posed, kinematics, folded)) return false;
    keepBefore(Attempt::Folded);
    pose = folded;
    return true;
  }

  /// Where a limb that was straight has come to bend against its preference, solves again from the other bend: first
  /// with the straight limb as a limit, for the pull to rest may well lead over it.
  bool beginOtherBend(const IkProblem& problem) {
    if (hasTriedOtherBend || solver != allSolvers().front()) return false;
    const std::vector<BackwardBend> bends =
        findBackwardBends(problem, posed, startPose, pose, workspace.current.kinematics);
    if (bends.empty()) return false;
    hasTriedOtherBend = true;
    IkProblem forward = withPose(problem);
    for (const BackwardBend& bend : bends) {
      forward.joints[static_cast<std::size_t>(bend.joint)].limits = bend.forward;
      forward.pose.coordinates[problem.figure->joint(bend.joint).poseIndex] = bend.mirrored;
    }
    PosedProblem held = makeProblem(forward, request, branches, &posed.reference, liveContacts());
    if (!held.objective) return false;
    HardGoals::copyShifts(posed, held);
    findMet(problem, keptMet);
    keptGoalPart = goalPart();
    keepBefore(Attempt::HeldBend);
    askedProblem = std::exchange(posed, std::move(held));
    pose = forward.pose;
    return true;
  }

  /// After a solve with the limb held: goes on with what is asked.
  void letBendGo() {
    posed = std::move(askedProblem);
    attempt = Attempt::OtherBend;
  }

  /// True where the other bend is one, meets what was met, and leaves no more of the rest. It may cost more pull than
  /// the bend that the solver found, but f is no higher than where the solve began.
  bool isOtherBendKept(const IkProblem& problem) {
    std::vector<char> met;
    findMet(problem, met);
    const bool isMissedByMore = std::ranges::find(met, 0) != met.end() && goalPart() > keptGoalPart;
    return !isMissedByMore && std::ranges::equal(met, keptMet, std::greater_equal<>()) &&
           report.summary.objective <= *objectiveBefore &&
           findBackwardBends(problem, posed, startPose, pose, workspace.current.kinematics).empty();
  }

  /// f without pulls.
  double goalPart() const {
    double sum = 0.0;
    for (std::size_t k = 0; k < workspace.current.residuals.size(); ++k)
      sum += posed.objective->goalValue(workspace.current, k);
    return sum;
  }

  void findMet(const IkProblem& problem, std::vector<char>& met) const {
    const IkProblem now = withPose(problem);
    met.clear();
    for (const PosedGoal& goal : posed.goals)
      met.push_back(isMet(now, goalErrorOf(now, workspace.current.kinematics, goal.item)));
  }

  /// Keeps the new pose where it is clearly better, or bends as is preferred; else goes back.
  void endAttempt(const IkProblem& problem) {
    const bool isBetter = attempt == Attempt::OtherBend ? isOtherBendKept(problem)
                                                        : report.summary.objective < kUnlatchGain * kept.objective;
    const Eigen::Vector3d* target = pulledTarget();
    if (!isBetter && target && attempt != Attempt::OtherBend) triedInVain = *target;
    if (isBetter && contacts.isClear(workspace.current.kinematics)) attempt = Attempt::None;
    else dropAttempt(kept.status);
  }

  void dropAttempt(SolveStatus status) {
    if (std::exchange(attempt, Attempt::None) == Attempt::HeldBend) posed = std::move(askedProblem);
    goBackTo(kept.pose, status);
  }

  /// Makes another branch of an any-of the live one when it is clearly nearer here. True when there is something to
  /// solve.
  bool switchBranch(const IkProblem& problem) {
    if (branches.empty() || switches >= kMaxSwitches) return false;
    Branches better = chooseBranches(withPose(problem), workspace.current.kinematics, branches);
    if (better == branches) return false;
    PosedProblem switched = makeProblem(problem, request, better, &posed.reference, liveContacts());
    if (!switched.fault.empty() || !solver->refusal(*switched.objective).empty()) return false;
    posed = std::move(switched);
    hardGoals.begin(problem.figure, posed);
    branches = std::move(better);
    ++switches;
    return true;
  }

  std::span<const LiveContact> liveContacts() const {
    return solver->seesOneSidedGoals() ? contacts.live() : std::span<const LiveContact>();
  }

  /// The pose to show, null for the one that is shown. Neither an attempt at another, until it is found to be better,
  /// nor one inside of what it will be brought out of, nor one on the way of stages.
  const Pose* shownPose(const Figure& figure, bool ended) {
    if (ended) return &pose;
    if (search) return &search->best.pose;
    if (stages) return nullptr;
    const Pose& shown = attempt == Attempt::None ? pose : kept.pose;
    if (!contacts.isNeeded() || !solver->seesOneSidedGoals()) return &shown;
    computeTransforms(figure, shown, shownKinematics);
    return contacts.isClear(shownKinematics) ? &shown : nullptr;
  }

  void finish(const IkProblem& problem) {
    running = false;
    if (report.summary.status == SolveStatus::BadInput) return;
    if (report.summary.status == SolveStatus::Cancelled && !posed.contacts.empty() &&
        !contacts.isClear(workspace.current.kinematics))
      goBackTo(clear.pose, SolveStatus::Cancelled);
    wrap(problem);
    if (const Eigen::Vector3d* target = pulledTarget()) noteTrail(problem, *target);
  }

  void noteTrail(const IkProblem& problem, const Eigen::Vector3d& target) {
    trail.note(*problem.figure, target, pose, report.summary.objective - goalPart());
    for (std::size_t k = 0; k < posed.objective->goals().size(); ++k)
      if (posed.objective->isForceLimited(workspace.current, k)) trail.straighten();
  }

  /// Wraps angles that went round. To a pull to rest that is another pose: what the summary says is then of this one.
  void wrap(const IkProblem& problem) {
    const Pose unwrapped = pose;
    wrapAngles(*problem.figure, pose);
    posed.objective->feasibleSet().project(pose);
    if (pose == unwrapped) return;
    PosedProblem wrapped = makeProblem(withPose(problem), request, branches, nullptr, liveContacts());
    if (!wrapped.objective) return;
    HardGoals::copyShifts(posed, wrapped);
    posed = std::move(wrapped);
    const RelaxationSummary said = report.summary.relaxation;
    moveTo(Pose(pose));
    report.summary.relaxation = said;  // turns leave all places where they are
  }

  void judge(const IkProblem& problem, bool ended) {
    if (stages && !ended) {
      report.outcome = Outcome::BudgetSpent;
      report.sentence = "solving from the base pose";
      return;
    }
    judgeGoals(problem, posed, report);
    judgeStaying(problem);
    judgeContacts(problem, ended && report.summary.status != SolveStatus::BadInput);
    report.activeLimits.clear();
    if (report.summary.status != SolveStatus::BadInput && attempt == Attempt::None)
      findActiveLimits(*posed.objective, pose, workspace.gradient, report.activeLimits);
    report.limitedJoints = limitedJoints(*problem.figure, report.activeLimits);
    report.outcome = ended ? outcomeOf(report) : Outcome::BudgetSpent;
    const bool saysMinimum = report.outcome == Outcome::AtLimits || report.outcome == Outcome::NearestFound;
    if (saysMinimum && !localMinimum.isAt(*posed.objective, pose)) report.outcome = Outcome::Stalled;
    report.sentence = sentenceOf(*problem.figure, report);
    for (const Obstacle& obstacle : problem.obstacles) {
      const std::string fault = findFault(obstacle, problem.figure->linkCount());
      if (obstacle.enabled && !fault.empty()) report.sentence += "; " + fault;
    }
    if (!problem.avoidsItself) return;
    if (const std::string fault = selfAvoidanceFault(*problem.figure); !fault.empty())
      report.sentence += "; " + fault;
  }

  void judgeStaying(const IkProblem& problem) {
    const Staying& staying = *request.staying;
    report.limb.clear();
    if (staying.isOn()) report.limb = staying.limb();
    report.heldFeet = staying.heldFeet();
    if (staying.isOn() && !(pose == problem.pose)) computeTransforms(*problem.figure, problem.pose, shownKinematics);
    const Kinematics& shown = pose == problem.pose ? workspace.current.kinematics : shownKinematics;
    report.bodyMoved = staying.isOn() && staying.hasBodyMoved(shown);
  }

  void judgeContacts(const IkProblem& problem, bool isEvaluated) {
    report.contacts.clear();
    if (!contacts.isNeeded()) return;
    report.seesContacts = solver->seesOneSidedGoals();
    if (!report.seesContacts) {
      report.contacts = findContacts(problem);
      return;
    }
    computeTransforms(*problem.figure, problem.pose, shownKinematics);
    presses.clear();
    if (isEvaluated) findPresses();
    contacts.report(problem, shownKinematics, presses, report.contacts);
  }
};

Posing::Posing() : state_(std::make_unique<State>()) {}
Posing::~Posing() = default;

bool Posing::start(const IkProblem& problem, const PosingRequest& request) {
  State& s = *state_;
  const bool hasLearnt = request.followsLast && !s.running && s.report.summary.status == SolveStatus::Converged;
  s.report = {};
  s.running = false;
  s.begin = request.anywhere ? Start::Anywhere : Start::Here;
  s.iterationsBefore = {0, 0};
  s.stages.reset();
  if (isNatural(problem, request)) return s.startNatural(problem, request);
  if (!problem.solver.pathIndependent || request.anywhere) return s.start(problem, request, hasLearnt);
  s.forget();
  s.stages.emplace(problem, request);
  return s.start(s.stages->problem(), s.stages->request(), false);
}

bool Posing::isRunning() const { return state_->running; }
int Posing::activeCount() const { return state_->posed.objective ? state_->posed.objective->activeCount() : 0; }
void Posing::observe(Observer* observer) { state_->observer = observer; }

bool Posing::advance(IkProblem& problem, int iterations) {
  State& s = *state_;
  if (!s.running) return true;
  const Clock::time_point start = Clock::now();
  const bool isStageDone = s.run(s.stages ? s.stages->problem() : problem, iterations);
  const bool ended =
      isStageDone && !s.beginNextStage() && !s.beginNextTry(s.stages ? s.stages->problem() : problem);
  if (ended && s.report.outcome == Outcome::BadInput) return true;
  if (ended) s.finish(problem);
  const Pose* shown = s.shownPose(*problem.figure, ended);
  if (shown && isValid(*problem.figure, *shown)) problem.pose = *shown;
  if (problem.symmetry) s.keepSymmetric(problem, ended);
  s.judge(problem, ended);
  if (ended && s.presses.size() == s.contacts.live().size()) s.contacts.keepPressing(s.presses);
  s.report.timeMs = millisecondsSince(start);
  s.report.totalMs += s.report.timeMs;
  return ended;
}

bool Posing::advanceFor(IkProblem& problem, double milliseconds) {
  State& s = *state_;
  const Clock::time_point start = Clock::now();
  while (s.running) {
    const double left = milliseconds - millisecondsSince(start);
    const int slice = std::clamp(static_cast<int>(0.5 * left / s.msPerIteration), 1, 1000);
    const int before = s.report.summary.iterations();
    const bool ended = advance(problem, slice);
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

PosingReport solveToEnd(Posing& posing, IkProblem& problem, const PosingRequest& request) {
  if (posing.start(problem, request))
    while (!posing.advance(problem, std::numeric_limits<int>::max())) {}
  return posing.report();
}

}  // namespace limber
