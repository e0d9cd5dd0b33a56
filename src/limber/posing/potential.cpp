// SPDX-License-Identifier: MIT
#include "limber/posing/potential.h"

#include "limber/posing/goal_table.h"
#include "limber/posing/posed_problem.h"

namespace limber {

namespace {

double squaredChord(const GoalItem& goal, const Eigen::Matrix3d& frame) {
  double sum = 0.0;
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const auto column = static_cast<Eigen::Index>(axis);
    const double c = goal.directionScale[axis];
    sum += c * c * (goal.targetFrame.col(column) - frame.col(column)).squaredNorm();
  }
  return sum;
}

std::optional<double> aimPotential(const GoalItem& goal, const Eigen::Vector3d& gap, const Eigen::Vector3d& ray) {
  const double c = goal.directionScale[0];
  if (gap.isZero(0.0)) return std::nullopt;
  return c * c * (gap.normalized() - ray).squaredNorm();
}

}  // namespace

double potentialOf(const IkProblem& problem, const Kinematics& kinematics, const GoalItem& goal) {
  if (goal.type == GoalType::KeepPose) {
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
  if (constructionOf(goal.type).equation.empty()) return std::nullopt;
  const Transform& worldFromLink = kinematics.worldFromLink[static_cast<std::size_t>(goal.link)];
  const Eigen::Matrix3d frame = worldFromLink.rotation * goal.frameInLink;
  const Eigen::Vector3d gap = (goal.target - worldFromLink * goal.pointInLink) / problem.figure->meanLinkLength();
  const Eigen::Vector3d nu = goal.targetFrame.col(0);
  switch (goal.type) {
    case GoalType::Position: return gap.squaredNorm();
    case GoalType::Orientation: return squaredChord(goal, frame);
    case GoalType::PositionOrientation:
      return goal.positionShare * gap.squaredNorm() + (1.0 - goal.positionShare) * squaredChord(goal, frame);
    case GoalType::Aim: return aimPotential(goal, gap, frame.col(0));
    case GoalType::Line: return (gap - gap.dot(nu) * nu).squaredNorm();
    case GoalType::Plane: return gap.dot(nu) * gap.dot(nu);
    case GoalType::HalfSpace: return gap.dot(nu) < 0.0 ? 0.0 : gap.dot(nu) * gap.dot(nu);
    default: return std::nullopt;
  }
}

std::vector<GoalPotential> goalPotentials(const IkProblem& problem) {
  Kinematics kinematics;
  computeTransforms(*problem.figure, problem.pose, kinematics);
  std::vector<GoalPotential> result;
  for (const GoalItem& goal : problem.goals) {
    if (!goal.enabled || !findFault(goal, *problem.figure).empty()) continue;
    const GoalConstruction& construction = constructionOf(goal.type);
    result.push_back({goalInWords(goal), std::string(construction.name), std::string(construction.equation),
                      potentialOf(problem, kinematics, goal), paperPotential(problem, kinematics, goal),
                      goal.weight * problem.solver.targetWeight});
  }
  return result;
}

}  // namespace limber
