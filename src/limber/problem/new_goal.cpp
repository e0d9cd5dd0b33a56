// SPDX-License-Identifier: MIT
#include "limber/problem/new_goal.h"

#include <algorithm>

#include "limber/kinematics/shortest_turn.h"
#include "limber/problem/bend.h"
#include "limber/problem/goal_types.h"

namespace limber {

Eigen::Matrix3d frameAlong(const Eigen::Vector3d& direction) {
  return shortestTurn(Eigen::Vector3d::UnitX(), direction).toRotationMatrix();
}

EndEffector endEffectorOf(const Figure& figure, int link) {
  for (const Site& site : figure.sites())
    if (site.link == link) return {link, site.linkFromSite.translation, site.linkFromSite.rotation};
  const auto& capsules = figure.link(link).capsules;
  if (capsules.empty()) return {link};
  const Eigen::Vector3d along = capsules.back().end - capsules.back().start;
  if (!(along.norm() > 0.0)) return {link, capsules.back().end};
  return {link, capsules.back().end, frameAlong(along)};
}

EndEffector mainEndEffector(const Figure& figure) {
  const auto isLeaf = [&](int link) { return figure.children(link).empty(); };
  const auto sites = figure.sites();
  const auto site = std::ranges::find_if(sites, [&](const Site& s) { return isLeaf(s.link); });
  if (site != sites.end()) return endEffectorOf(figure, site->link);
  return endEffectorOf(figure, figure.linkCount() - 1);  // parents come before children, so the last link has none
}

int addGoal(IkProblem& problem, GoalType type, const EndEffector& given, const std::optional<EndEffector>& other) {
  const GoalTypeInfo& info = infoOf(type);
  const EndEffector end = info.isBend ? farEndOf(*problem.figure, given.link) : given;
  const Kinematics kinematics = transformsOf(*problem.figure, problem.pose);
  GoalItem goal{.id = problem.nextGoalId++,
                .type = type,
                .name = (info.hasEndEffector() ? problem.figure->link(end.link).name : "") + info.newName,
                .link = end.link,
                .pointInLink = end.point,
                .frameInLink = end.frame};
  const Transform place = kinematics.worldFromLink[end.link] * Transform{end.frame, end.point};
  goal.target = place.translation;
  if (info.begin) info.begin(goal, place, problem.figure->meanLinkLength());
  if (other && info.other != OtherLink::None) {
    goal.otherLink = other->link;
    goal.pointInOther = other->point;
    goal.frameInOther = other->frame;
  }
  askForPresent(problem, kinematics, goal);
  problem.goals.push_back(std::move(goal));
  return problem.goals.back().id;
}

void askForPresent(const IkProblem& problem, const Kinematics& kinematics, GoalItem& goal) {
  const GoalTypeInfo& info = infoOf(goal.type);
  const StandingGoal now(problem, kinematics, goal);
  if (info.present) return info.present(now, goal);
  goal.target = now.point;
  if (info.axes > 0) goal.targetFrame = now.frame;
}

void moveTargetToEndEffector(const IkProblem& problem, const Kinematics& kinematics, GoalItem& goal) {
  if (!infoOf(goal.type).kept && !isTied(goal) && goal.seenIn < 0) askForPresent(problem, kinematics, goal);
}

}  // namespace limber
