// SPDX-License-Identifier: MIT
#include "posing/reach.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "posing/goal_table.h"
#include "scene/goal_error.h"

namespace limber {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kRounding = 1e-12;  // relative: a target at full stretch is within reach

/// Everywhere that a point can go: within `radius` of `centre`.
struct Reach {
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  double radius = 0.0;  ///< 0 for what nothing moves
};

class Lengths {
 public:
  Lengths(const Document& document, const Objective& objective, const Kinematics& kinematics)
      : document_(document), figure_(objective.figure()), kinematics_(kinematics),
        moves_(static_cast<std::size_t>(figure_.stepSize()), 0) {
    for (const int c : objective.moving()) moves_[static_cast<std::size_t>(c)] = 1;
  }

  bool isMoving(int joint) const {
    const Joint& j = figure_.joint(joint);
    return std::any_of(moves_.begin() + j.stepIndex, moves_.begin() + j.stepIndex + stepSize(j.type),
                       [](char moves) { return moves != 0; });
  }

  bool isMoved(int link) const {
    for (; link >= 0; link = figure_.link(link).parent)
      if (isMoving(link)) return true;
    return false;
  }

  /// Farthest that the link's origin can be from its joint's place.
  double slide(int link) const {
    const Joint& joint = figure_.joint(link);
    const double* q = document_.pose.coordinates.data() + joint.poseIndex;
    if (joint.type == JointType::Prismatic) {
      const Interval& limits = document_.joints[static_cast<std::size_t>(link)].limits;
      return isMoving(link) ? std::max(std::abs(limits.lower), std::abs(limits.upper)) : std::abs(*q);
    }
    if (joint.type != JointType::Free) return 0.0;
    return moves_[static_cast<std::size_t>(joint.stepIndex)] ? kInfinity : Eigen::Map<const Eigen::Vector3d>(q).norm();
  }

  Reach reachOf(int link, const Eigen::Vector3d& pointInLink) const {
    Reach reach{kinematics_.worldFromLink[static_cast<std::size_t>(link)] * pointInLink, 0.0};
    double length = pointInLink.norm();
    for (; link >= 0; link = figure_.link(link).parent) {
      const auto index = static_cast<std::size_t>(link);
      const double slides = slide(link);
      if (isMoving(link)) {
        const bool turns = slides == 0.0 || (figure_.joint(link).type == JointType::Free && slides < kInfinity);
        reach = turns ? Reach{kinematics_.worldFromLink[index].translation, length}
                      : Reach{worldFromJoint(figure_, kinematics_, link).translation, length + slides};
      }
      length += slides + figure_.joint(link).parentFromJoint.translation.norm();
    }
    return reach;
  }

  /// Farthest that two points of different links can be apart.
  double spanOf(int a, const Eigen::Vector3d& pointInA, int b, const Eigen::Vector3d& pointInB) const {
    double length = pointInA.norm() + pointInB.norm();
    while (a != b) {
      int& lower = a > b ? a : b;  // parents stand before their children
      length += slide(lower) + figure_.joint(lower).parentFromJoint.translation.norm();
      lower = figure_.link(lower).parent;
    }
    return length;
  }

 private:
  const Document& document_;
  const Figure& figure_;
  const Kinematics& kinematics_;
  std::vector<char> moves_;
};

/// How far outside the ball of the reach the goal's places begin; <= 0 when some may be inside.
double missOf(const GoalItem& goal, const Reach& reach) {
  const Eigen::Vector3d off = reach.centre - goal.target, axis = goal.targetFrame.col(0);
  switch (goal.type) {
    case GoalType::Position:
    case GoalType::PositionOrientation: return off.norm() - reach.radius;
    case GoalType::Line: return (off - axis.dot(off) * axis).norm() - reach.radius;
    case GoalType::Plane: return std::abs(axis.dot(off)) - reach.radius;
    case GoalType::HalfSpace: return -axis.dot(off) - reach.radius;
    case GoalType::Distance:
      return std::max(off.norm() - reach.radius - goal.distance.upper, goal.distance.lower - off.norm() - reach.radius);
    default: return -kInfinity;
  }
}

}  // namespace

bool isProvedOutOfReach(const Document& document, const Objective& objective, const Kinematics& kinematics,
                        const GoalItem& goal) {
  const Lengths lengths(document, objective, kinematics);
  const std::vector<int> links = linksOf(goal);
  if (links.empty()) return false;
  if (std::none_of(links.begin(), links.end(), [&](int link) { return lengths.isMoved(link); })) {
    const GoalError error = goalErrorOf(document, kinematics, goal);
    return error.length > 0.0 || error.angle > 0.0;
  }
  if (links.size() == 2)
    return goal.type == GoalType::Distance &&
           goal.distance.lower > lengths.spanOf(goal.link, goal.pointInLink, goal.otherLink, goal.pointInOther) *
                                     (1.0 + kRounding);
  const Reach reach = lengths.reachOf(goal.link, goal.pointInLink);
  return missOf(goal, reach) > kRounding * reach.radius;
}

}  // namespace limber
