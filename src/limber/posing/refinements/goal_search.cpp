// SPDX-License-Identifier: MIT
#include "limber/posing/refinements/refinements.h"

#include <algorithm>
#include <utility>

#include "limber/posing/outcome.h"
#include "limber/solvers/registry.h"

namespace limber {

namespace {

constexpr double kLower = 0.99;  // a result that meets as many goals is better if its f is below this part of f

/// True if goals that count are missed and may all be in reach.
bool missesGoals(const Solve& solve) {
  PosingReport judged;
  Kinematics kinematics;
  judgeGoals(solve.withPose(), solve.posed, kinematics, judged);
  const auto misses = [](const GoalReport& goal) { return goal.live && !goal.isPreference && !goal.reached; };
  const auto isProved = [&](const GoalReport& goal) { return misses(goal) && goal.outOfReach; };
  return std::ranges::any_of(judged.goals, misses) && std::ranges::none_of(judged.goals, isProved);
}

bool isItsOwnSearch(const Solver& solver) { return solver.searchSolver() == solver.name(); }

}  // namespace

void GoalSearch::begin(Solve&) { best_.reset(); }

/// Ends a try whose first run is no better than the best result.
Refinement::Verdict GoalSearch::judge(Solve& solve) {
  if (!best_ || isBetter(solve, solve.countMetGoals())) return Verdict::AskOthers;
  return beginNextTry(solve) ? Verdict::RunAgain : Verdict::End;
}

bool GoalSearch::refine(Solve& solve) {
  if (!best_) return beginSearch(solve) && beginNextTry(solve);
  if (const int met = solve.countMetGoals(); isBetter(solve, met)) best_ = takeResult(solve, met);
  return beginNextTry(solve);
}

/// True if more goals are met, or as many at a lower f.
bool GoalSearch::isBetter(const Solve& solve, int met) const {
  return met > best_->met || (met == best_->met && solve.summary.objective < kLower * best_->end.objective);
}

void GoalSearch::breakOff(Solve& solve) {
  if (!best_) return;
  best_->end.status = solve.summary.status;
  next_ = choices_.size();
  beginNextTry(solve);
}

/// False if no goal is missed that a search could meet.
bool GoalSearch::beginSearch(Solve& solve) {
  const bool isOwn = isItsOwnSearch(*solve.solver);
  if (solve.isBroken() || solve.solver->searchSolver().empty() || !(isOwn || solve.request->searches)) return false;
  if (solve.request->staying->isOn() || !missesGoals(solve)) return false;  // a far pose would move links that stay
  choices_ = otherChoices(solve.withPose(), solve.workspace.current.kinematics, solve.branches);
  if (!isOwn) choices_.insert(choices_.begin(), solve.branches);
  if (choices_.empty()) return false;
  next_ = 0;
  goalCount_ = static_cast<int>(std::ranges::count_if(solve.posed.goals, &PosedGoal::counts));
  best_ = takeResult(solve, solve.countMetGoals());
  solve.beginSearch();
  return true;
}

/// False if no try is left or all goals are met; the solve then returns to the best result.
bool GoalSearch::beginNextTry(Solve& solve) {
  while (best_->met < goalCount_ && next_ < choices_.size())
    if (beginTry(solve, choices_[next_++])) return true;
  solve.branches = best_->branches;
  solve.contacts = std::move(best_->contacts);
  solve.rollBack(best_->end);
  return false;
}

/// False if the search solver refuses these alternatives.
bool GoalSearch::beginTry(Solve& solve, const Branches& choice) {
  if (!isItsOwnSearch(*solve.solver)) {
    SolverSettings settings = solve.problem->solver;
    settings.solver = solve.solver->searchSolver();
    std::string fault;
    solve.solver = findSolver(settings.solver);
    solve.options = solverOptions(settings, fault);
    if (!fault.empty()) solve.options = defaultOptions(*solve.solver);
  }
  IkProblem atStart = *solve.problem;
  atStart.pose = solve.startPose;
  const Pose& reference = best_->end.posed.reference;
  PosedProblem tried = makeProblem(atStart, *solve.request, choice, &reference);
  if (!tried.objective || !solve.solver->refusal(*tried.objective).empty()) return false;
  solve.contacts.begin(atStart, *solve.request, movesOf(*tried.objective),
                       selfAvoidanceIn(atStart, *solve.request, *solve.solver));
  if (!fitsContacts(tried, solve.liveContacts()))
    tried = makeProblem(atStart, *solve.request, choice, &reference, solve.liveContacts());
  solve.branches = choice;
  solve.multipliers = {};
  solve.replace(std::move(tried));
  solve.pose = solve.startPose;
  solve.start = Start::Here;
  for (Refinement* refinement : solve.refinements)
    if (refinement != this) refinement->begin(solve);
  return true;
}

GoalSearch::Result GoalSearch::takeResult(Solve& solve, int met) {
  Result result{solve.snapshot(), solve.branches, solve.contacts, met};
  result.end.posed = std::move(solve.posed);
  return result;
}

}  // namespace limber
