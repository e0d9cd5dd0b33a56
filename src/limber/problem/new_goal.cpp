// SPDX-License-Identifier: MIT
#include "limber/problem/new_goal.h"

#include <algorithm>
#include <cmath>

#include "limber/kinematics/shortest_turn.h"
#include "limber/problem/bend.h"
#include "limber/problem/goal_error.h"

namespace limber {

namespace {

Transform placeOf(const Kinematics& kinematics, int link, const Eigen::Vector3d& point, const Eigen::Matrix3d& frame) {
  return kinematics.worldFromLink[static_cast<std::size_t>(link)] * Transform{frame, point};
}

std::string nameOf(const Figure& figure, GoalType type, int link) {
  if (type == GoalType::KeepPose) return "pose";
  if (type == GoalType::CentreOfMass) return "balance";
  return figure.link(link).name + (type == GoalType::Swivel ? " swivel" : "");
}

/// The present relation between the two ends becomes what is asked.
void tieToOther(const Kinematics& kinematics, const EndEffector& other, GoalItem& goal) {
  goal.otherLink = other.link;
  const Transform end = placeOf(kinematics, goal.link, goal.pointInLink, goal.frameInLink);
  const Transform& worldFromOther = kinematics.worldFromLink[static_cast<std::size_t>(other.link)];
  if (goal.type == GoalType::Relative) {
    const Transform otherFromEnd = worldFromOther.inverse() * end;
    goal.pointInOther = otherFromEnd.translation;
    goal.frameInOther = otherFromEnd.rotation;
    return;
  }
  goal.pointInOther = other.point;
  goal.frameInOther = other.frame;
  const double distance = (worldFromOther * other.point - end.translation).norm();
  goal.distance = {distance, distance};
}

/// A target at the wrong distance moves along the line to its point until it is right.
Eigen::Vector3d atAllowedDistance(const GoalItem& goal, const Eigen::Vector3d& point) {
  const Eigen::Vector3d off = goal.target - point;
  const double distance = off.norm();
  const double wanted = std::max(std::min(std::max(distance, goal.distance.lower), goal.distance.upper), 0.0);
  if (wanted == distance || !std::isfinite(wanted)) return goal.target;
  return point + wanted * (distance > 0.0 ? Eigen::Vector3d(off / distance) : Eigen::Vector3d::UnitX());
}

}  // namespace

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

bool needsOtherLink(GoalType type) { return type == GoalType::Relative || type == GoalType::Distance; }

int addGoal(IkProblem& problem, GoalType type, const EndEffector& given, const std::optional<EndEffector>& other) {
  const EndEffector end = type == GoalType::Swivel ? farEndOf(*problem.figure, given.link) : given;
  Kinematics kinematics;
  computeTransforms(*problem.figure, problem.pose, kinematics);
  const double unit = problem.figure->meanLinkLength();
  GoalItem goal;
  goal.id = problem.nextGoalId++;
  goal.type = type;
  goal.name = nameOf(*problem.figure, type, end.link);
  goal.link = end.link;
  goal.pointInLink = end.point;
  goal.frameInLink = end.frame;
  const Transform place = placeOf(kinematics, end.link, end.point, end.frame);
  goal.target = type == GoalType::Aim ? Eigen::Vector3d(place.translation + unit * place.rotation.col(0))
                                      : place.translation;
  if (type == GoalType::Plane || type == GoalType::HalfSpace) goal.targetFrame = frameAlong(Eigen::Vector3d::UnitY());
  goal.distance = type == GoalType::Distance ? Interval{0.0, unit} : Interval{};
  if (type == GoalType::KeepPose) goal.kept = problem.pose;
  if (other && needsOtherLink(type)) tieToOther(kinematics, *other, goal);
  moveTargetToEndEffector(problem, kinematics, goal);
  problem.goals.push_back(std::move(goal));
  return problem.goals.back().id;
}

void askForPresent(const IkProblem& problem, const Kinematics& kinematics, GoalItem& goal) {
  if (goal.type == GoalType::KeepPose) goal.kept = problem.pose;
  else if (goal.otherLink >= 0) tieToOther(kinematics, {goal.otherLink, goal.pointInOther, goal.frameInOther}, goal);
  else moveTargetToEndEffector(problem, kinematics, goal);
}

void moveTargetToEndEffector(const IkProblem& problem, const Kinematics& kinematics, GoalItem& goal) {
  if (goal.type == GoalType::KeepPose || goal.otherLink >= 0) return;
  if (goal.type == GoalType::CentreOfMass) {
    goal.target = centreOfMassOf(*problem.figure, kinematics);
    return;
  }
  const Transform place = placeOf(kinematics, goal.link, goal.pointInLink, goal.frameInLink);
  switch (goal.type) {
    case GoalType::Orientation:
    case GoalType::PositionOrientation:
    case GoalType::Direction:
      goal.target = place.translation;
      goal.targetFrame = place.rotation;
      break;
    case GoalType::Aim: {
      const double ahead = (goal.target - place.translation).norm();
      goal.target = place.translation + ahead * place.rotation.col(0);
      break;
    }
    case GoalType::Distance: goal.target = atAllowedDistance(goal, place.translation); break;
    case GoalType::Swivel:
      goal.target = place.translation;
      if (const auto limb = limbOf(problem, kinematics, goal)) goal.targetFrame = frameAlong(limb->bend);
      break;
    default: goal.target = place.translation; break;
  }
}

}  // namespace limber
