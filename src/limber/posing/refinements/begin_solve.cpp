// SPDX-License-Identifier: MIT
// The begin of a solve: builds the objective, and in a drag predicts a better start from the last events.
#include <algorithm>
#include <utility>

#include "limber/posing/limb_start.h"
#include "limber/posing/mirror_images.h"
#include "limber/posing/refinements/solve.h"
#include "limber/solvers/registry.h"

namespace limber {

namespace {

constexpr int kTrialIterations = 15;  // from each start with placed tied limbs

/// True if two goals differ in nothing but their targets.
bool isSameButTarget(const PosedGoal& a, const PosedGoal& b) {
  return a.item.type == b.item.type && a.item.link == b.item.link && a.item.pointInLink == b.item.pointInLink &&
         a.item.weight == b.item.weight && a.isExact() == b.isExact() && a.mayYield() == b.mayYield() &&
         a.place == b.place;
}

/// True if two problems differ in nothing but targets and pose, so that the solver's memory of one helps with the
/// other.
bool isSameButTargets(const PosedProblem& a, const PosedProblem& b) {
  return a.objective && b.objective && &a.objective->figure() == &b.objective->figure() &&
         a.objective->active() == b.objective->active() &&
         std::equal(a.goals.begin(), a.goals.end(), b.goals.begin(), b.goals.end(),
                    [](const PosedGoal& x, const PosedGoal& y) { return isSameButTarget(x, y); }) &&
         std::equal(a.contacts.begin(), a.contacts.end(), b.contacts.begin(), b.contacts.end(),
                    [](const PosedContact& x, const PosedContact& y) { return x.pair == y.pair; });
}

}  // namespace

SelfAvoidance selfAvoidanceIn(const IkProblem& problem, const PosingRequest& request, const Solver& solver) {
  if (problem.selfAvoidance) return *problem.selfAvoidance;
  if (!solver.seesOneSidedGoals()) return SelfAvoidance::Off;
  return isNatural(problem, request) ? SelfAvoidance::Arms : selfAvoidanceOf(problem);
}

bool Solve::begin(const IkProblem& asked, const PosingRequest& asking) {
  const bool hasLearnt = asking.followsLast && !isRunning && summary.status == SolveStatus::Converged;
  summary = {};
  start = asking.anywhere ? Start::Anywhere : Start::Here;
  iterationsBefore_ = {0, 0};
  return beginNext(asked, asking, hasLearnt);
}

bool Solve::beginNext(const IkProblem& asked, const PosingRequest& asking, bool hasLearnt) {
  problem = &asked;
  fault.clear();
  fallback.reset();
  objectiveBefore_.reset();
  isSearching = false;
  const std::shared_ptr<const Staying> stayed = request ? request->staying : nullptr;
  request = completed(asked, withMirrorImages(asked, asking), request ? &*request : nullptr);
  const std::string& name = asking.solver.empty() ? asked.solver.solver : asking.solver;
  const Solver* solverBefore = std::exchange(solver, findSolver(name));
  std::string why = takeSolverOptions(asked.solver, name, options);
  if (!why.empty()) return fail(std::move(why));
  referenceBefore_ = posed.reference;
  PosedProblem before;  // without an objective if that is used again
  const bool isRetargeted = contacts.guess(asked).empty() && retarget(posed, asked, *request);
  if (!isRetargeted) before = std::exchange(posed, makeProblem(asked, *request, {}, nullptr, contacts.guess(asked)));
  if (!posed.fault.empty()) return fail(posed.fault);
  computeTransforms(*asked.figure, asked.pose, startKinematics_);
  branches = chooseBranches(asked, startKinematics_, branches);
  findMoves(*posed.objective, moves_);
  contacts.begin(asked, *request, moves_, selfAvoidanceIn(asked, *request, *solver));
  if (!branches.empty() || !fitsContacts(posed, liveContacts()))
    posed = makeProblem(asked, *request, branches, nullptr, liveContacts());
  else setPlanes(posed, liveContacts());
  if (why = solver->refusal(*posed.objective); !why.empty()) {
    if (request->letsFeetGo || request->staying->holds().empty()) return fail(std::move(why));
    PosingRequest withoutFeet = asking;  // a method that moves no root cannot hold feet
    withoutFeet.letsFeetGo = true;
    return beginNext(asked, withoutFeet, hasLearnt);
  }
  if (why = findLimitFault(asked, *solver, posed); !why.empty()) return fail(std::move(why));
  const int count = posed.objective->activeCount();
  if (solver->needsDenseHessian() && count > kMaxDenseCoordinates) return fail(tooManyCoordinates(count));
  const bool isAlike = isRetargeted ? posed.contacts.empty() : isSameButTargets(before, posed);
  if (hasLearnt && !request->anywhere && solver == solverBefore && isAlike) start = Start::Warm;
  const auto weighsSame = [&] {
    return before.objective && before.objective->regulariserWeights() == posed.objective->regulariserWeights();
  };
  dragContinues = asking.followsLast && stayed == request->staying && (isRetargeted || weighsSame()) &&
                  referenceBefore_ == posed.reference;
  if (!dragContinues || !(trail_.last() == asked.pose)) trail_ = {};
  const Ahead ahead = aheadOf();
  multipliers.begin(asked.figure, posed, asking.followsLast, ahead);
  pose = startPose = asked.pose;
  startAhead(ahead);
  if (!ahead.isKnown()) startPlaced();
  for (Refinement* refinement : refinements) refinement->begin(*this);
  return isRunning = true;
}

bool Solve::fail(std::string why) {
  fault = std::move(why);
  return isRunning = false;
}

/// The prediction for this event of a drag; unknown unless the last event was like it.
Ahead Solve::aheadOf() const {
  const Eigen::Vector3d* target = pulledTarget();
  return start == Start::Warm && target && contacts.live().empty() ? trail_.ahead(*target) : Ahead{};
}

/// Starts at the predicted pose of the drag if f is lower there.
void Solve::startAhead(const Ahead& ahead) {
  if (!ahead.isKnown()) return;
  Pose guessed;
  trail_.guess(*problem->figure, ahead, guessed);
  posed.objective->feasibleSet().project(guessed);
  const double here = objectiveAtStart();
  if (!(posed.objective->evaluate(guessed, workspace.current) < here)) return;
  objectiveBefore_ = here;
  pose = guessed;
}

/// The pose with the lowest f after a few iterations from each start.
Pose Solve::bestOf(std::vector<Pose> starts) {
  Workspace trial;
  const Pose* best = nullptr;
  double least = 0.0;
  for (Pose& tried : starts) {
    const Summary end =
        solver->solve(*posed.objective, tried, options, trial, {kTrialIterations}, Start::Here, nullptr);
    if (end.status == SolveStatus::BadInput || (best && !(end.objective < least))) continue;
    best = &tried;
    least = end.objective;
  }
  return best ? *best : problem->pose;
}

/// Starts with dragged limbs placed in closed form, if f is lower there.
void Solve::startPlaced() {
  if (!solver->isFollowedUp()) return;  // a solver that searches compares its answers with the start
  placed_ = problem->pose;
  std::vector<Pose> tied;
  if (!request->followsLast) tied = tiedStarts(*problem, posed, *request->staying, placed_);
  if (!tied.empty()) placed_ = bestOf(std::move(tied));
  else if (!placeLimbs(*problem, posed, *request->staying, placed_)) return;
  const double here = posed.objective->evaluate(problem->pose, workspace.current);
  if (!(posed.objective->evaluate(placed_, workspace.current) < here)) return;
  objectiveBefore_ = here;
  pose = placed_;
}

/// f at the problem's pose, where the last event of the drag ended: only its goals have changed.
double Solve::objectiveAtStart() const {
  double f = trail_.rest();
  Residual residual;
  for (std::size_t k = 0; k < posed.objective->goals().size(); ++k) {
    posed.objective->computeResidual(startKinematics_, k, residual);
    f += posed.objective->goalValue(k, residual);
  }
  return f;
}

void Solve::forget() {
  posed = {};
  multipliers = {};
  branches = {};
  contacts = {};
  trail_ = {};
}

}  // namespace limber
