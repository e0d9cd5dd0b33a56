// SPDX-License-Identifier: MIT
#include "limber/posing/potential.h"

#include "limber/posing/posed_problem.h"
#include "limber/problem/goal_types.h"

namespace limber {

double potentialOf(const IkProblem& problem, const Kinematics& kinematics, const GoalItem& goal) {
  if (infoOf(goal.type).kept) {
    Eigen::VectorXd offset;
    return keepPoseOf(problem, goal, 1.0).evaluate(*problem.figure, problem.pose, offset);
  }
  Residual residual;
  const std::unique_ptr<Goal> made = makeGoal(goal, *problem.figure, 1.0);
  made->computeResidual(kinematics, residual);
  if (made->isOneSided()) clampOneSided(residual);
  return 0.5 * residual.squaredNorm();
}

std::optional<double> paperPotential(const IkProblem& problem, const Kinematics& kinematics, const GoalItem& goal) {
  const auto paper = infoOf(goal.type).paper;
  const StandingGoal standing(problem, kinematics, goal);
  return paper ? paper(standing, -standing.offset() / problem.figure->meanLinkLength()) : std::nullopt;
}

std::vector<GoalPotential> goalPotentials(const IkProblem& problem) {
  const Kinematics kinematics = transformsOf(*problem.figure, problem.pose);
  std::vector<GoalPotential> result;
  for (const GoalItem& goal : problem.goals) {
    if (!goal.enabled || !findFault(goal, *problem.figure).empty()) continue;
    const GoalTypeInfo& info = infoOf(goal.type);
    result.push_back({goalInWords(goal), std::string(info.name), std::string(info.equation),
                      potentialOf(problem, kinematics, goal), paperPotential(problem, kinematics, goal),
                      goal.weight * problem.solver.targetWeight});
  }
  return result;
}

}  // namespace limber
