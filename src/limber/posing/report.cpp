// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <set>

#include "limber/body/balance.h"
#include "limber/posing/outcome.h"
#include "limber/posing/posed_problem.h"
#include "limber/posing/potential.h"
#include "limber/posing/reach.h"
#include "limber/problem/goal_error.h"
#include "limber/problem/goal_types.h"

namespace limber {

namespace {

/// Tolerance of pins: mean link lengths, radians. About 1e-4 of a human's stature.
constexpr double kPinTolerance = 1e-3;

BalanceReport judgeBalance(const IkProblem& problem, const PosedProblem& posed, const PosedGoal& goal,
                           const Kinematics& kinematics) {
  const Figure& figure = *problem.figure;
  BalanceReport balance;
  balance.margin = supportMargin(supportPolygon(figure, kinematics, plantedLinks(problem, kinematics)),
                                 onGround(centreOfMassOf(figure, kinematics)));
  balance.isKept = balance.margin >= -kPinTolerance * figure.meanLinkLength();
  balance.holdsBack = goal.place >= 0 && !posed.objective->residualShift(goal.place).isZero(0.0);
  return balance;
}

/// 1/2 |r|^2, without the shift. A goal of the objective is not made again.
double potentialOf(const IkProblem& problem, const PosedProblem& posed, const PosedGoal& goal,
                   const Kinematics& kinematics) {
  if (goal.place < 0) return limber::potentialOf(problem, kinematics, goal.item);
  const Goal& made = *posed.objective->goals()[goal.place];
  Residual residual;
  made.computeResidual(kinematics, residual);
  if (made.isOneSided()) clampOneSided(residual);
  return 0.5 * residual.squaredNorm();
}

/// The norm of the gradient of its term of f with respect to its residual, shift included.
double forceOf(const PosedProblem& posed, const PosedGoal& goal, double potential) {
  if (!goal.isLive || goal.place < 0) return 0.0;
  const double left = std::sqrt(2.0 * std::max(potential, 0.0));
  return posed.objective->goals()[goal.place]->weight() * (left + posed.objective->residualShift(goal.place).norm());
}

/// True if the limited force of a dragged goal is used up.
bool isForceSpent(const PosedProblem& posed, const PosedGoal& goal, const Kinematics& kinematics) {
  if (!goal.isPulled() || goal.place < 0 || !posed.objective) return false;
  const Objective& objective = *posed.objective;
  Residual residual;
  objective.computeResidual(kinematics, goal.place, residual);
  return objective.goals()[goal.place]->weight() * residual.norm() >= objective.forceLimit(goal.place);
}

/// The obstacle that contains the target, if the goal's link has a capsule and avoids it; null for none.
const Obstacle* obstacleAround(const IkProblem& problem, const GoalItem& goal) {
  if (!infoOf(goal.type).isPlace || problem.figure->link(goal.link).capsules.empty()) return nullptr;
  for (const Obstacle& obstacle : problem.obstacles) {
    const bool counts = obstacle.enabled && findFault(obstacle, problem.figure->linkCount()).empty();
    if (!counts || !keepsOut(obstacle, goal.link)) continue;
    if (heightAbove(obstacle, goal.target) < 0.0) return &obstacle;
  }
  return nullptr;
}

}  // namespace

void judgeGoals(const IkProblem& problem, const PosedProblem& posed, Kinematics& kinematics, PosingReport& report) {
  computeTransforms(*problem.figure, problem.pose, kinematics);
  report.goals.clear();
  report.worstError = report.worstAngle = 0.0;
  report.balance.reset();
  std::set<int> spared;  // any-ofs with a goal that may be in reach: then none of their goals is out of reach
  for (const PosedGoal& goal : posed.goals) {
    if (goal.mayYield()) continue;
    if (goal.source == GoalSource::Balance) {
      report.balance = judgeBalance(problem, posed, goal, kinematics);
      continue;
    }
    const GoalError error = goalErrorOf(problem, kinematics, goal.item);
    GoalReport entry;
    entry.id = goal.item.id;
    if (goal.source == GoalSource::Pin) entry.pinnedLink = goal.item.link;
    if (goal.source == GoalSource::Hold) entry.heldLink = goal.item.link;
    entry.error = std::max(error.length, 0.0);
    entry.angle = std::max(error.angle, 0.0);
    if (goal.isLive) {
      const double potential = potentialOf(problem, posed, goal, kinematics);
      entry.objective = goal.item.weight * problem.solver.targetWeight * potential;
      entry.force = forceOf(posed, goal, potential);
    }
    const Tolerance tolerance =
        goal.source == GoalSource::Pin ? relativeTolerance(*problem.figure, kPinTolerance) : toleranceOf(problem);
    entry.reached = isWithin(error, tolerance);
    entry.outOfReach = !entry.reached && isProvedOutOfReach(problem, posed.mayMove, kinematics, goal.item, tolerance);
    entry.directionOutOfReach = entry.outOfReach && !isMovable(problem, posed.mayMove, kinematics, goal.item);
    if (goal.item.anyOf >= 0 && !entry.outOfReach) spared.insert(goal.item.anyOf);
    entry.live = goal.isLive;
    entry.isPreference = goal.isLive && goal.strength == Strength::Preference;
    entry.isForceSpent = !entry.reached && isForceSpent(posed, goal, kinematics);
    if (const Obstacle* around = entry.reached || goal.isExact() ? nullptr : obstacleAround(problem, goal.item)) {
      entry.insideObstacle = around->id;
      entry.insideOf = obstacleInWords(*around);
    }
    if (goal.isLive && !entry.isPreference) {
      report.worstError = std::max(report.worstError, entry.error);
      report.worstAngle = std::max(report.worstAngle, entry.angle);
    }
    report.goals.push_back(entry);
  }
  auto entry = report.goals.begin();
  for (const PosedGoal& goal : posed.goals) {
    if (goal.mayYield() || goal.source == GoalSource::Balance) continue;
    if (spared.contains(goal.item.anyOf)) entry->outOfReach = false;
    ++entry;
  }
}

}  // namespace limber
