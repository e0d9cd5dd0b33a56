// SPDX-License-Identifier: MIT
#include "limber/posing/refinements/solve.h"

#include <algorithm>
#include <utility>

#include "limber/posing/active_limits.h"
#include "limber/posing/certify.h"
#include "limber/problem/goal_error.h"

namespace limber {

namespace {

// Mean link lengths: a pair presses if its force, divided by its weight, is larger. In 256 events of drags among boxes
// a contact stops 32; with 1e-12, which is rounding, 30; with 1e-5, which misses weak contacts, 21.
constexpr double kPress = 1e-9;

}  // namespace

bool Solve::advance(int iterations) {
  isRunning = !run(iterations) || refine();
  return !isRunning;
}

/// True if the solver has ended by itself.
bool Solve::run(int iterations) {
  summary = solver->solve(*posed.objective, pose, options, workspace, {iterations}, start, observer);
  if (!hasValidBound()) summary.relaxation = {};
  const bool isEnd = summary.status != SolveStatus::BudgetSpent;
  // The next run continues where this one ended.
  const bool isNear = !posed.contacts.empty() || !posed.loops.empty() || request->staying->isOn();
  start = !isEnd ? Start::Resume : isNear ? Start::Warm : Start::Here;
  if (!objectiveBefore_) objectiveBefore_ = summary.objectiveBefore;
  summary.objectiveBefore = *objectiveBefore_;
  countIterations(isEnd);
  return isEnd;
}

/// True if the solver runs again.
bool Solve::refine() {
  if (isBroken()) {
    if (fallback) {
      Snapshot before = std::move(*std::exchange(fallback, std::nullopt));
      before.status = summary.status;
      rollBack(before);
    }
    for (Refinement* refinement : refinements) refinement->breakOff(*this);
    return false;
  }
  for (Refinement* refinement : refinements) {
    const Refinement::Verdict verdict = refinement->judge(*this);
    if (verdict != Refinement::Verdict::AskOthers) return verdict == Refinement::Verdict::RunAgain;
  }
  const auto anyRefines = [this](bool first) {
    return std::ranges::any_of(refinements, [&](Refinement* refinement) {
      return refinement->comesFirst(*this) == first && refinement->refine(*this);
    });
  };
  return anyRefines(true) || anyRefines(false);
}

/// False if the solver's bound does not hold for the problem: goals with shifts are met by solving other problems, and
/// another alternative may be enabled.
bool Solve::hasValidBound() const {
  if (summary.relaxation.rank == 0) return true;
  for (std::size_t k = 0; k < posed.objective->goals().size(); ++k)
    if (!posed.objective->residualShift(static_cast<int>(k)).isZero(0.0)) return false;
  std::vector<PointGoal> seen;
  collectSeenPoints(*posed.objective, seen);
  return boundedPoints(posed).size() == seen.size();
}

/// Adds the iterations of earlier runs.
void Solve::countIterations(bool isEnd) {
  auto& phases = summary.phases;
  if (isSearching) {
    const int tried = summary.iterations();
    phases = {PhaseCount{firstPhase_, 0}, PhaseCount{"restarts", tried}};
    summary.phaseCount = 2;
  }
  for (std::size_t i = 0; i < iterationsBefore_.size(); ++i) {
    phases[i].iterations += iterationsBefore_[i];
    if (isEnd) iterationsBefore_[i] = phases[i].iterations;
  }
}

void Solve::beginSearch() {
  isSearching = true;
  firstPhase_ = summary.phases[0].phase;
  iterationsBefore_ = {summary.phases[0].iterations, 0};
}

void Solve::replace(PosedProblem next) {
  posed = std::move(next);
  multipliers.begin(problem->figure, posed);
}

void Solve::moveTo(const Pose& to, SolveStatus status) {
  pose = to;
  summary.status = status;
  summary.relaxation = {};  // it was about the solver's own answer
  summary.objective = posed.objective->evaluate(pose, workspace.current);
  posed.objective->computeGradient(workspace.current, workspace.gradient);
  summary.gradientNorm =
      freeGradientNorm(*posed.objective, pose, workspace.gradient, workspace.freeSpace, workspace.projected);
}

void Solve::rollBack(Snapshot& to) {
  if (to.posed.objective) posed = std::move(to.posed);
  moveTo(to.pose, to.status);
}

void Solve::beginTrial(const Pose& tried, PosedProblem other) {
  fallback = snapshot();
  if (other.objective) fallback->posed = std::exchange(posed, std::move(other));
  pose = tried;
}

void Solve::endTrial(bool isBetter) {
  Snapshot before = std::move(*std::exchange(fallback, std::nullopt));
  if (!isBetter || !contacts.isClear(workspace.current.kinematics)) rollBack(before);
}

bool Solve::isBroken() const {
  return summary.status == SolveStatus::BadInput || summary.status == SolveStatus::Cancelled;
}

const IkProblem& Solve::withPose() const {
  withPose_ = *problem;
  withPose_.pose = pose;
  return withPose_;
}

PosedProblem Solve::variant(const IkProblem& changed, const Pose* reference) const {
  PosedProblem result = makeProblem(changed, *request, branches, reference, liveContacts());
  if (result.objective) Multipliers::copyShifts(posed, result);
  return result;
}

std::span<const LiveContact> Solve::liveContacts() const {
  return solver->seesOneSidedGoals() ? contacts.live() : std::span<const LiveContact>();
}

std::vector<char> Solve::findPresses() const {
  std::vector<char> presses;
  for (const PosedContact& contact : posed.contacts)
    presses.push_back(workspace.current.residuals[contact.place].minCoeff() < -kPress);
  return presses;
}

bool Solve::isStoppedByContact() const {
  const std::vector<char> presses = findPresses();
  return std::ranges::find(presses, 1) != presses.end();
}

const Eigen::Vector3d* Solve::pulledTarget() const {
  const auto pulled = std::ranges::find_if(posed.goals, &PosedGoal::isPulled);
  return pulled == posed.goals.end() ? nullptr : &pulled->item.target;
}

double Solve::goalPart() const {
  double sum = 0.0;
  for (std::size_t k = 0; k < workspace.current.residuals.size(); ++k)
    sum += posed.objective->goalValue(workspace.current, k);
  return sum;
}

int Solve::countMetGoals() const {
  const IkProblem& now = withPose();
  const Kinematics kinematics = transformsOf(*now.figure, now.pose);
  return static_cast<int>(std::ranges::count_if(posed.goals, [&](const PosedGoal& goal) {
    return goal.counts() && isMet(now, goalErrorOf(now, kinematics, goal.item));
  }));
}

void Solve::noteTrail() {
  const Eigen::Vector3d* target = pulledTarget();
  if (!target) return;
  trail_.note(*problem->figure, *target, pose, summary.objective - goalPart());
  for (std::size_t k = 0; k < posed.objective->goals().size(); ++k)
    if (posed.objective->isForceLimited(workspace.current, k)) trail_.straighten();
}

}  // namespace limber
