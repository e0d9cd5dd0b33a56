// SPDX-License-Identifier: MIT
#include "limber/problem/goal_place.h"

#include <cmath>

#include "limber/problem/goal_types.h"

namespace limber {

bool isWellFormed(const IkProblem& problem, const GoalItem& goal) {
  const GoalTypeInfo& info = infoOf(goal.type);
  const auto isLink = [&](int link) { return link >= 0 && link < problem.figure->linkCount(); };
  const bool hasOther = goal.otherLink >= 0 || info.other == OtherLink::Required;
  if (!isLink(goal.link) || (hasOther && !isLink(goal.otherLink))) return false;
  if (info.kept && goal.kept.coordinates.size() != problem.figure->poseSize()) return false;
  return goal.pointInLink.allFinite() && goal.frameInLink.allFinite() && goal.target.allFinite() &&
         goal.targetFrame.allFinite() && goal.pointInOther.allFinite() && goal.frameInOther.allFinite() &&
         !std::isnan(goal.distance.lower) && !std::isnan(goal.distance.upper);
}

Eigen::Vector3d otherPointOf(const Kinematics& kinematics, const GoalItem& goal) {
  return goal.otherLink >= 0 ? kinematics.worldFromLink[goal.otherLink] * goal.pointInOther : goal.target;
}

GoalPlace placeOfGoal(const IkProblem& problem, const Kinematics& kinematics, const GoalItem& goal) {
  GoalPlace place;
  if (!isWellFormed(problem, goal)) return place;
  const StandingGoal standing(problem, kinematics, goal);
  place = {standing.point, standing.frame, standing.point, standing.frame};
  if (const auto change = infoOf(goal.type).place) change(standing, place);
  return place;
}

}  // namespace limber
