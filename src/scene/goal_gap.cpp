// SPDX-License-Identifier: MIT
#include "scene/goal_gap.h"

#include <algorithm>
#include <cmath>

namespace limber {

namespace {

/// atan2 keeps its digits near 0 and pi, where an arc cosine loses half of them.
double angleBetween(const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

bool isLink(const Document& document, int link) { return link >= 0 && link < document.figure->linkCount(); }

const Transform& worldFromLink(const Kinematics& kinematics, int link) {
  return kinematics.worldFromLink[static_cast<std::size_t>(link)];
}

void askForPlace(GoalGap& gap, const Eigen::Vector3d& wanted) {
  gap.wanted = wanted;
  gap.length = (wanted - gap.point).norm();
}

void askForDirections(GoalGap& gap, const GoalItem& goal, const Eigen::Matrix3d& wanted) {
  gap.wantedFrame = wanted;
  for (int axis = 0; axis < 2; ++axis)
    if (goal.directionScale[static_cast<std::size_t>(axis)] > 0.0)
      gap.angle = std::max(gap.angle, angleBetween(gap.frame.col(axis), wanted.col(axis)));
}

void askForAim(GoalGap& gap, const GoalItem& goal) {
  gap.wanted = goal.target;
  gap.wantedFrame = gap.frame;
  const Eigen::Vector3d way = goal.target - gap.point;
  if (!(way.norm() > 0.0)) return;
  const auto turn = Eigen::Quaterniond::FromTwoVectors(gap.frame.col(0), way);
  gap.wantedFrame = turn * gap.frame;
  gap.angle = angleBetween(gap.frame.col(0), way);
}

void askForDistance(GoalGap& gap, const GoalItem& goal, const Kinematics& kinematics) {
  const Eigen::Vector3d from =
      goal.otherLink >= 0 ? worldFromLink(kinematics, goal.otherLink) * goal.pointInOther : goal.target;
  const Eigen::Vector3d way = gap.point - from;
  const double distance = way.norm();
  const double allowed = std::min(std::max(distance, goal.distance.lower), goal.distance.upper);
  if (allowed == distance) return;
  const Eigen::Vector3d along = distance > 0.0 ? Eigen::Vector3d(way / distance) : Eigen::Vector3d::UnitY();
  askForPlace(gap, from + allowed * along);
}

/// How far a joint is from where the kept pose has it.
void addJointGap(const Figure& figure, const Pose& pose, const Pose& kept, int joint, GoalGap& gap) {
  const Joint& j = figure.joint(joint);
  const auto at = [&](const Pose& p, int k) { return p.coordinates[j.poseIndex + k]; };
  switch (j.type) {
    case JointType::Fixed: return;
    case JointType::Revolute:
      gap.angle = std::max(gap.angle, std::abs(wrapAngle(at(pose, 0) - at(kept, 0))));
      return;
    case JointType::Prismatic: gap.length = std::max(gap.length, std::abs(at(pose, 0) - at(kept, 0))); return;
    case JointType::Free:
      gap.length = std::max(gap.length, std::hypot(at(pose, 0) - at(kept, 0), at(pose, 1) - at(kept, 1),
                                                   at(pose, 2) - at(kept, 2)));
      [[fallthrough]];
    case JointType::Ball: {
      const double turn = jointRotation(figure, pose, joint).angularDistance(jointRotation(figure, kept, joint));
      gap.angle = std::max(gap.angle, turn);
      return;
    }
  }
}

}  // namespace

Eigen::Vector3d findCentreOfMass(const Figure& figure, const Kinematics& kinematics) {
  double mass = 0.0;
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (int i = 0; i < figure.linkCount(); ++i) {
    const Link& link = figure.link(i);
    mass += link.mass;
    sum += link.mass * (worldFromLink(kinematics, i) * link.centreOfMass);
  }
  return mass > 0.0 ? Eigen::Vector3d(sum / mass) : worldFromLink(kinematics, 0).translation;
}

bool isWellFormed(const Document& document, const GoalItem& goal) {
  const bool needsOther = goal.type == GoalType::Relative;
  if (!isLink(document, goal.link) || (goal.otherLink >= 0 || needsOther) != isLink(document, goal.otherLink)) return false;
  if (goal.type == GoalType::KeepPose && goal.kept.coordinates.size() != document.figure->poseSize()) return false;
  return goal.pointInLink.allFinite() && goal.frameInLink.allFinite() && goal.target.allFinite() &&
         goal.targetFrame.allFinite() && goal.pointInOther.allFinite() && goal.frameInOther.allFinite() &&
         !std::isnan(goal.distance.lower) && !std::isnan(goal.distance.upper);
}

GoalGap findGoalGap(const Document& document, const Kinematics& kinematics, const GoalItem& goal) {
  GoalGap gap;
  if (!isWellFormed(document, goal)) return gap;
  const Transform& link = worldFromLink(kinematics, goal.link);
  gap.point = gap.wanted = link * goal.pointInLink;
  gap.frame = gap.wantedFrame = link.rotation * goal.frameInLink;
  const Eigen::Vector3d axis = goal.targetFrame.col(0);
  const double across = axis.dot(gap.point - goal.target);  // of a plane
  switch (goal.type) {
    case GoalType::Position: askForPlace(gap, goal.target); break;
    case GoalType::Orientation: askForDirections(gap, goal, goal.targetFrame); break;
    case GoalType::PositionOrientation:
      if (goal.positionShare > 0.0) askForPlace(gap, goal.target);
      if (goal.positionShare < 1.0) askForDirections(gap, goal, goal.targetFrame);
      break;
    case GoalType::Direction:
      gap.wantedFrame = goal.targetFrame;
      gap.angle = angleBetween(gap.frame.col(0), axis);
      break;
    case GoalType::Aim: askForAim(gap, goal); break;
    case GoalType::Line: askForPlace(gap, goal.target + axis.dot(gap.point - goal.target) * axis); break;
    case GoalType::Plane: askForPlace(gap, gap.point - across * axis); break;
    case GoalType::HalfSpace: askForPlace(gap, gap.point - std::min(across, 0.0) * axis); break;
    case GoalType::Distance: askForDistance(gap, goal, kinematics); break;
    case GoalType::Relative: {
      const Transform& other = worldFromLink(kinematics, goal.otherLink);
      askForPlace(gap, other * goal.pointInOther);
      askForDirections(gap, goal, other.rotation * goal.frameInOther);
      break;
    }
    case GoalType::KeepPose:
      gap.point = gap.wanted = link.translation;
      for (int i = 0; i < document.figure->linkCount(); ++i)
        addJointGap(*document.figure, document.pose, goal.kept, i, gap);
      break;
    case GoalType::CentreOfMass:
      gap.point = findCentreOfMass(*document.figure, kinematics);
      askForPlace(gap, {goal.target.x(), gap.point.y(), goal.target.z()});
      break;
  }
  return gap;
}

bool isMet(const Document& document, const GoalGap& gap) {
  const double tolerance = document.solver.reachedTolerance;
  return gap.length <= tolerance * document.figure->meanLinkLength() && gap.angle <= tolerance;
}

}  // namespace limber
