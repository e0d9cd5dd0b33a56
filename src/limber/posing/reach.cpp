// SPDX-License-Identifier: MIT
#include "limber/posing/reach.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "limber/problem/goal_error.h"
#include "limber/problem/goal_types.h"

namespace limber {

namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();
constexpr double kUnitRoundoff = std::numeric_limits<double>::epsilon();

/// A ball that contains all places of a point.
struct Reach {
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  double radius = 0.0;  ///< 0 if no joint moves the point
};

class Lengths {
 public:
  Lengths(const IkProblem& problem, const std::vector<char>& moves, const Kinematics& kinematics)
      : problem_(problem), figure_(*problem.figure), kinematics_(kinematics), moves_(moves) {}

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

  /// Largest distance of the link's origin from its joint's place.
  double slide(int link) const {
    const Joint& joint = figure_.joint(link);
    const double* q = problem_.pose.coordinates.data() + joint.poseIndex;
    if (joint.type == JointType::Prismatic) {
      const Interval& limits = problem_.joints[link].limits;
      return isMoving(link) ? std::max(std::abs(limits.lower), std::abs(limits.upper)) : std::abs(*q);
    }
    if (joint.type != JointType::Free) return 0.0;
    return moves_[joint.stepIndex] ? kEndless : Eigen::Map<const Eigen::Vector3d>(q).norm();
  }

  Reach reachOf(int link, const Eigen::Vector3d& pointInLink) const {
    Reach reach{kinematics_.worldFromLink[link] * pointInLink, 0.0};
    double length = pointInLink.norm();
    for (; link >= 0; link = figure_.link(link).parent) {
      const double slides = slide(link);
      if (isMoving(link)) {
        const bool turns = slides == 0.0 || (figure_.joint(link).type == JointType::Free && slides < kEndless);
        reach = turns ? Reach{kinematics_.worldFromLink[link].translation, length}
                      : Reach{worldFromJoint(figure_, kinematics_, link).translation, length + slides};
      }
      length += slides + figure_.joint(link).parentFromJoint.translation.norm();
    }
    return reach;
  }

  /// Largest distance of two points of different links.
  double spanOf(int a, const Eigen::Vector3d& pointInA, int b, const Eigen::Vector3d& pointInB) const {
    double length = pointInA.norm() + pointInB.norm();
    while (a != b) {
      int& lower = a > b ? a : b;  // parents precede their children
      length += slide(lower) + figure_.joint(lower).parentFromJoint.translation.norm();
      lower = figure_.link(lower).parent;
    }
    return length;
  }

 private:
  const IkProblem& problem_;
  const Figure& figure_;
  const Kinematics& kinematics_;
  const std::vector<char>& moves_;
};

/// A bound for the part of a goal's error that is due to rounding.
///
/// A link's transform is a product of one for each joint above it. Each product rounds a rotation by less than
/// 16 epsilon (a quaternion to 3 epsilon, its matrix, three terms per entry), and so a place by that angle times the
/// lever to it; the sum of places rounds by 4 epsilon of the largest on the way. No lever and no place is longer than
/// the size summed here, so that k joints move a place by less than 20 epsilon k times the size. The distance to the
/// target and the sums of lengths add as much as two more joints. Slides exceed their limits by at most kSlide.
///
/// The pose from which the goal's target was computed has the same rounding, so everything counts twice.
struct Rounding {
  double length = 0.0;  ///< metres
  double angle = 0.0;   ///< radians

  Rounding(const Figure& figure, const Kinematics& kinematics, const GoalItem& goal, const std::vector<int>& links) {
    constexpr double kTurn = 20.0 * kUnitRoundoff;
    constexpr double kSlide = 1e-9;  // metres
    double size = goal.pointInLink.norm() + goal.pointInOther.norm() + goal.target.norm(), farthest = 0.0;
    int joints = 2, slides = 0;
    for (int link : links)
      for (; link >= 0; link = figure.link(link).parent, ++joints) {
        size += figure.joint(link).parentFromJoint.translation.norm();
        farthest = std::max(farthest, kinematics.worldFromLink[link].translation.norm());
        slides += figure.joint(link).type == JointType::Prismatic;
      }
    angle = 2.0 * joints * kTurn;
    length = angle * (size + 2.0 * farthest) + 2.0 * slides * kSlide;
  }
};

/// True if a goal that no joint moves is not met. A ray to the target turns with its point, more so if the target is
/// near. False for a bend, for which a straight limb has no angle.
bool isMissedWhereItStands(const IkProblem& problem, const Kinematics& kinematics, const GoalItem& goal,
                           const Tolerance& tolerance, const Rounding& rounding) {
  const GoalTypeInfo& info = infoOf(goal.type);
  if (info.isBend) return false;
  const GoalError error = goalErrorOf(problem, kinematics, goal);
  double angle = tolerance.angle + rounding.angle;
  if (info.axes > 0 && info.target && !info.hasTargetFrame())
    angle += 2.0 * rounding.length / StandingGoal(problem, kinematics, goal).offset().norm();
  return error.length > tolerance.length + rounding.length || error.angle > angle;
}

}  // namespace

bool isMovable(const IkProblem& problem, const std::vector<char>& moves, const Kinematics& kinematics,
               const GoalItem& goal) {
  const Lengths lengths(problem, moves, kinematics);
  return std::ranges::any_of(linksOf(goal), [&](int link) { return lengths.isMoved(link); });
}

bool isProvedOutOfReach(const IkProblem& problem, const std::vector<char>& moves, const Kinematics& kinematics,
                        const GoalItem& goal, const Tolerance& tolerance) {
  const std::vector<int> links = linksOf(goal);
  if (links.empty()) return false;
  const Figure& figure = *problem.figure;
  const Lengths lengths(problem, moves, kinematics);
  const Rounding rounding(figure, kinematics, goal, links);
  if (!isMovable(problem, moves, kinematics, goal))
    return isMissedWhereItStands(problem, kinematics, goal, tolerance, rounding);
  const double near = tolerance.length + rounding.length;
  if (links.size() == 2)
    return infoOf(goal.type).distance &&
           goal.distance.lower > lengths.spanOf(goal.link, goal.pointInLink, goal.otherLink, goal.pointInOther) + near;
  const Reach reach = lengths.reachOf(goal.link, goal.pointInLink);
  StandingGoal standing(problem, kinematics, goal);
  standing.point = reach.centre;
  return infoOf(goal.type).error(standing).length - reach.radius > near;
}

}  // namespace limber
