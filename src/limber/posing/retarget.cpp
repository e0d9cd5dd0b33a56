// SPDX-License-Identifier: MIT
// Reuses the posed problem of the last solve, so that a loop which only moves targets builds its objective once.
#include <algorithm>

#include "limber/posing/posed_problem.h"
#include "limber/problem/goal_types.h"

namespace limber {

namespace {

/// True if the objective has no terms but those of the problem's goals and pins and of one pull to rest.
bool isPlain(const IkProblem& problem, const CompletedRequest& request) {
  return problem.figure->loops().empty() && !request.natural && !request.staying->isOn() && !request.drag &&
         request.holds.empty() && request.images.empty() && request.support.empty() &&
         std::ranges::none_of(problem.goals, [](const GoalItem& goal) { return goal.anyOf >= 0; });
}

bool hasSameSettings(const PosedOrigin& origin, const IkProblem& problem, const CompletedRequest& request) {
  const SolverSettings& settings = problem.solver;
  return origin.targetWeight == settings.targetWeight && origin.restWeight == settings.restWeight &&
         origin.reference == settings.reference && origin.pullsToStart == request.pullsToStart &&
         origin.freesRoot == request.freesRoot() && origin.goals.size() == problem.goals.size() &&
         origin.pins == problem.pins && origin.joints == problem.joints &&
         origin.couplingEnabled == problem.couplingEnabled && origin.linearLimitEnabled == problem.linearLimitEnabled;
}

/// Takes the targets of the problem's goals. False if a goal differs in anything else, or has a fault.
bool takeTargets(const IkProblem& problem, std::vector<GoalItem>& goals) {
  for (std::size_t i = 0; i < goals.size(); ++i) {
    const GoalItem& item = problem.goals[i];
    goals[i].target = item.target;
    goals[i].targetFrame = item.targetFrame;
    if (!(goals[i] == item) || (item.enabled && !findFault(item, *problem.figure).empty())) return false;
  }
  return true;
}

void moveTarget(const GoalItem& to, PosedGoal& goal, Objective& objective) {
  if (goal.item.target == to.target && goal.item.targetFrame == to.targetFrame) return;
  goal.item.target = to.target;
  goal.item.targetFrame = to.targetFrame;
  Goal& made = *objective.goals()[goal.place];
  remakeGoal(goal.item, objective.figure(), made.weight(), made);
}

void resetShifts(Objective& objective) {
  Residual zero;
  for (std::size_t k = 0; k < objective.goals().size(); ++k) {
    zero.setZero(objective.goals()[k]->residualSize());
    objective.setResidualShift(static_cast<int>(k), zero);
  }
}

}  // namespace

std::optional<PosedOrigin> originOf(const IkProblem& problem, const CompletedRequest& request) {
  if (!isPlain(problem, request)) return std::nullopt;
  return PosedOrigin{.goals = problem.goals,
                     .pins = problem.pins,
                     .joints = problem.joints,
                     .couplingEnabled = problem.couplingEnabled,
                     .linearLimitEnabled = problem.linearLimitEnabled,
                     .targetWeight = problem.solver.targetWeight,
                     .restWeight = problem.solver.restWeight,
                     .reference = problem.solver.reference,
                     .pullsToStart = request.pullsToStart,
                     .freesRoot = request.freesRoot()};
}

bool retarget(PosedProblem& posed, const IkProblem& problem, const CompletedRequest& request) {
  if (!posed.objective || !posed.origin || !isPlain(problem, request)) return false;
  Objective& objective = *posed.objective;
  const bool isSame = &objective.figure() == problem.figure.get() && hasSameSettings(*posed.origin, problem, request);
  if (!isSame || !isValid(*problem.figure, problem.pose) || !takeTargets(problem, posed.origin->goals)) return false;
  auto goal = posed.goals.begin();  // those of the problem come first
  std::size_t regulariser = 1;
  for (const GoalItem& item : problem.goals) {
    if (!item.enabled) continue;
    if (infoOf(item.type).kept) {
      Pose& kept = objective.reference(regulariser++);
      kept = item.kept;
      putOnTurn(problem, kept);
    } else {
      moveTarget(item, *goal, objective);
    }
    ++goal;
  }
  resetShifts(objective);
  if (problem.solver.reference != RestReference::RestPose || request.pullsToStart) {  // else it is the same
    findReference(problem, request, posed.reference);
    objective.reference(0) = posed.reference;
  }
  return objective.feasibleSet().fault(*problem.figure, problem.pose).empty();
}

}  // namespace limber
