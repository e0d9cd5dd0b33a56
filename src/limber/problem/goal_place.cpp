// SPDX-License-Identifier: MIT
#include "limber/problem/goal_place.h"

#include <algorithm>
#include <cmath>

#include "limber/goals/link_feature.h"
#include "limber/kinematics/shortest_turn.h"
#include "limber/problem/bend.h"
#include "limber/problem/goal_error.h"

namespace limber {

namespace {

bool isLink(const IkProblem& problem, int link) { return link >= 0 && link < problem.figure->linkCount(); }

/// The frame turned the short way until its x goes along a direction.
Eigen::Matrix3d pointed(const Eigen::Matrix3d& frame, const Eigen::Vector3d& way) {
  if (!(way.norm() > 0.0)) return frame;
  return shortestTurn(frame.col(0), way) * frame;
}

Eigen::Vector3d atAllowedDistance(const GoalItem& goal, const Eigen::Vector3d& from, const Eigen::Vector3d& point) {
  const Eigen::Vector3d way = point - from;
  const double distance = way.norm();
  const double allowed = std::min(std::max(distance, goal.distance.lower), goal.distance.upper);
  if (allowed == distance) return point;
  return from + allowed * (distance > 0.0 ? Eigen::Vector3d(way / distance) : Eigen::Vector3d::UnitY());
}

}  // namespace

bool isWellFormed(const IkProblem& problem, const GoalItem& goal) {
  const bool hasOther = goal.otherLink >= 0 || goal.type == GoalType::Relative;
  if (!isLink(problem, goal.link) || (hasOther && !isLink(problem, goal.otherLink))) return false;
  if (goal.type == GoalType::KeepPose && goal.kept.coordinates.size() != problem.figure->poseSize()) return false;
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
  const Transform& link = kinematics.worldFromLink[goal.link];
  place.point = place.wanted = link * goal.pointInLink;
  place.frame = place.wantedFrame = link.rotation * goal.frameInLink;
  const Eigen::Vector3d axis = goal.targetFrame.col(0), off = place.point - goal.target;
  switch (goal.type) {
    case GoalType::Position: place.wanted = goal.target; break;
    case GoalType::Orientation: place.wantedFrame = goal.targetFrame; break;
    case GoalType::PositionOrientation:
      place.wanted = goal.target;
      place.wantedFrame = goal.targetFrame;
      break;
    case GoalType::Direction: place.wantedFrame = pointed(place.frame, axis); break;
    case GoalType::Aim:
      place.wanted = goal.target;
      place.wantedFrame = pointed(place.frame, -off);
      break;
    case GoalType::Line: place.wanted = goal.target + axis.dot(off) * axis; break;
    case GoalType::Plane: place.wanted -= axis.dot(off) * axis; break;
    case GoalType::HalfSpace: place.wanted -= std::min(axis.dot(off), 0.0) * axis; break;
    case GoalType::Distance:
      place.wanted = atAllowedDistance(goal, otherPointOf(kinematics, goal), place.point);
      break;
    case GoalType::Relative:
      place.wanted = otherPointOf(kinematics, goal);
      place.wantedFrame = kinematics.worldFromLink[goal.otherLink].rotation * goal.frameInOther;
      break;
    case GoalType::KeepPose: place.point = place.wanted = link.translation; break;
    case GoalType::Swivel:
      place.wantedFrame = goal.targetFrame;
      if (const auto limb = limbOf(problem, kinematics, goal)) {
        place.point = place.wanted = limb->middle;
        place.frame = pointed(place.frame, limb->bend);
      }
      break;
    case GoalType::CentreOfMass:
      place.point = centreOfMassOf(*problem.figure, kinematics);
      place.wanted = {goal.target.x(), place.point.y(), goal.target.z()};
      break;
  }
  return place;
}

}  // namespace limber
