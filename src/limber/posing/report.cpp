// SPDX-License-Identifier: MIT
#include "limber/posing/report.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "limber/posing/potential.h"
#include "limber/posing/reach.h"
#include "limber/scene/balance.h"
#include "limber/scene/goal_error.h"

namespace limber {

namespace {

/// A pin is held when it is this far off at most: mean link lengths, radians. About 1e-4 of a human's stature.
constexpr double kPinTolerance = 1e-3;

BalanceReport judgeBalance(const Document& document, const Problem& problem, const PosedGoal& posed,
                           const Kinematics& kinematics) {
  const Figure& figure = *document.figure;
  BalanceReport balance;
  balance.margin = supportMargin(supportPolygon(figure, kinematics, plantedLinks(document, kinematics)),
                                 onGround(centreOfMassOf(figure, kinematics)));
  balance.isKept = balance.margin >= -kPinTolerance * figure.meanLinkLength();
  balance.holdsBack = posed.place >= 0 && !problem.objective->residualShift(posed.place).isZero(0.0);
  return balance;
}

/// Within which the goal counts as reached: mean link lengths and radians.
double toleranceOf(const Document& document, const PosedGoal& posed) {
  return posed.pinnedLink < 0 ? document.solver.reachedTolerance : kPinTolerance;
}

bool isReached(const Document& document, const GoalError& error, double tolerance) {
  return error.length <= tolerance * document.figure->meanLinkLength() && error.angle <= tolerance;
}

/// The gradient of its part of f with respect to its residual: what is left, and the shift that holds it.
double forceOf(const Document& document, const Problem& problem, const PosedGoal& posed, const Kinematics& kinematics) {
  if (!posed.isLive || posed.place < 0) return 0.0;
  const double left = std::sqrt(2.0 * std::max(potentialOf(document, kinematics, posed.item), 0.0));
  return problem.objective->goals()[static_cast<std::size_t>(posed.place)]->weight() *
         (left + problem.objective->residualShift(posed.place).norm());
}

/// Goals that are alternatives are out of reach together or not at all.
void spareAlternatives(const Problem& problem, std::vector<GoalReport>& reports) {
  std::set<int> spared;
  std::size_t at = 0;
  const auto forEach = [&](auto&& visit) {
    at = 0;
    for (const PosedGoal& posed : problem.goals)
      if (posed.support.empty()) visit(posed.item.anyOf, reports[at++]);
  };
  forEach([&](int anyOf, const GoalReport& report) {
    if (anyOf >= 0 && !report.outOfReach) spared.insert(anyOf);
  });
  forEach([&](int anyOf, GoalReport& report) {
    if (spared.count(anyOf)) report.outOfReach = false;
  });
}

bool asksForPlace(const GoalItem& goal) {
  return goal.type == GoalType::Position || goal.type == GoalType::PositionOrientation;
}

/// True where the limited force that drags the goal is as large as it may be.
bool isForceSpent(const Problem& problem, const PosedGoal& posed, const Kinematics& kinematics) {
  if (!posed.isPulled || posed.place < 0 || !problem.objective) return false;
  const Objective& objective = *problem.objective;
  const auto place = static_cast<std::size_t>(posed.place);
  Residual residual;
  objective.computeResidual(kinematics, place, residual);
  return objective.goals()[place]->weight() * residual.norm() >= objective.forceLimit(place);
}

/// The obstacle that the target is in, if the goal's link keeps out of it with a capsule; null for none.
const Obstacle* obstacleAround(const Document& document, const GoalItem& goal) {
  if (!asksForPlace(goal) || document.figure->link(goal.link).capsules.empty()) return nullptr;
  for (const Obstacle& obstacle : document.obstacles) {
    const bool counts = obstacle.enabled && findFault(obstacle, document.figure->linkCount()).empty();
    if (!counts || !keepsOut(obstacle, goal.link)) continue;
    if (heightAbove(hullInWorld(obstacle), goal.target) < 0.0) return &obstacle;
  }
  return nullptr;
}

}  // namespace

void judgeGoals(const Document& document, const Problem& problem, PosingReport& report) {
  Kinematics kinematics;
  computeTransforms(*document.figure, document.pose, kinematics);
  report.goals.clear();
  report.worstError = report.worstAngle = 0.0;
  report.balance.reset();
  for (const PosedGoal& posed : problem.goals) {
    if (!posed.support.empty()) {
      report.balance = judgeBalance(document, problem, posed, kinematics);
      continue;
    }
    const GoalError error = goalErrorOf(document, kinematics, posed.item);
    GoalReport entry;
    entry.id = posed.item.id;
    entry.pinnedLink = posed.pinnedLink;
    if (posed.isHard && posed.pinnedLink < 0) entry.heldLink = posed.item.link;
    entry.error = std::max(error.length, 0.0);
    entry.angle = std::max(error.angle, 0.0);
    if (posed.isLive)
      entry.objective = posed.item.weight * document.solver.targetWeight * potentialOf(document, kinematics, posed.item);
    entry.force = forceOf(document, problem, posed, kinematics);
    const double tolerance = toleranceOf(document, posed);
    entry.reached = isReached(document, error, tolerance);
    entry.outOfReach =
        !entry.reached && isProvedOutOfReach(document, problem.mayMove, kinematics, posed.item, tolerance);
    entry.live = posed.isLive;
    entry.isForceSpent = !entry.reached && isForceSpent(problem, posed, kinematics);
    if (const Obstacle* around = entry.reached || posed.isHard ? nullptr : obstacleAround(document, posed.item)) {
      entry.insideObstacle = around->id;
      entry.insideOf = obstacleInWords(*around);
    }
    if (posed.isLive) {
      report.worstError = std::max(report.worstError, entry.error);
      report.worstAngle = std::max(report.worstAngle, entry.angle);
    }
    report.goals.push_back(entry);
  }
  spareAlternatives(problem, report.goals);
}

}  // namespace limber
