// SPDX-License-Identifier: MIT
#include "solvers/point_goals.h"

#include <algorithm>
#include <cassert>

#include "goals/position_goal.h"

namespace limber {

namespace {

const Joint& jointAt(const Figure& figure, int coordinate) {
  const auto holds = [&](const Joint& joint) {
    return coordinate >= joint.stepIndex && coordinate < joint.stepIndex + stepSize(joint.type);
  };
  return *std::find_if(figure.joints().begin(), figure.joints().end(), holds);
}

}  // namespace

void collectPointGoals(const Objective& objective, std::vector<PointGoal>& goals) {
  goals.clear();
  for (std::size_t k = 0; k < objective.goals().size(); ++k) {
    const auto* goal = dynamic_cast<const PositionGoal*>(objective.goals()[k].get());
    assert(goal && "a geometric method was given a goal that it refuses");
    if (!goal || goal->weight() == 0.0) continue;
    const double unit = goal->lengthUnit();
    const Eigen::Vector3d shift = objective.residualShift(static_cast<int>(k));
    goals.push_back(
        {goal->link(0), goal->pointInLink(), goal->target() - unit * shift, goal->weight() / (unit * unit)});
  }
}

std::string refuseForGeometry(const Objective& objective, std::string_view title, std::string_view whatItMoves,
                              bool (*moves)(const Figure&, const Joint&)) {
  const Figure& figure = objective.figure();
  const auto name = [&] { return std::string(title); };  // made only where it is needed: solving allocates nothing
  for (const auto& goal : objective.goals())
    if (!dynamic_cast<const PositionGoal*>(goal.get()))
      return name() + " meets position goals; the goal on " + figure.link(goal->link(0)).name + " is of another kind";
  for (const Couplings::Follower& follower : objective.feasibleSet().couplings().followers())
    for (const Couplings::Term& term : objective.feasibleSet().couplings().termsOf(follower))
      if (objective.activeIndex(term.driver) >= 0)
        return name() + " moves joints one by one; joint " + jointAt(figure, follower.coordinate).name +
               " follows others";
  for (const Joint& joint : figure.joints())
    for (int c = joint.stepIndex; c < joint.stepIndex + stepSize(joint.type); ++c)
      if (objective.activeIndex(c) >= 0 && !moves(figure, joint))
        return name() + " " + std::string(whatItMoves) + "; joint " + joint.name + " is " +
               std::string(jointTypeName(joint.type));
  if (objective.feasibleSet().tiesScalars())
    return name() + " moves joints one by one; linear limits tie some together";
  return {};
}

}  // namespace limber
