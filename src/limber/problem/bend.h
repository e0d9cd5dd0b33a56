// SPDX-License-Identifier: MIT
// The bend of a limb: which two bones make it, which way it points, and which way a straight one prefers.
#pragma once

#include <optional>

#include "limber/kinematics/forward_kinematics.h"
#include "limber/problem/new_goal.h"
#include "limber/problem/ik_problem.h"

namespace limber {

/// The bone above a link: from the joint that turns it to the one at its other end, where the link bends against it.
/// Joints in one place (a knee of three hinges) count as one, fixed links as parts of the bone.
struct UpperBone {
  int link = -1;                                     ///< -1: there is none
  Eigen::Vector3d root = Eigen::Vector3d::Zero();    ///< metres, in the link
  Eigen::Vector3d middle = Eigen::Vector3d::Zero();  ///< metres, in the link
};
UpperBone upperBoneOf(const Figure& figure, int link);

/// The far end of the bone that a link belongs to: the farthest joint on it, else its natural end effector.
EndEffector farEndOf(const Figure& figure, int link);

/// How a limb stands, in the world; nothing where a swivel goal has no bone above it.
struct LimbPlace {
  Eigen::Vector3d root, middle, end;
  Eigen::Vector3d bend;  ///< unit, across the line from root to end: where the bend points, or a straight limb's would
};
std::optional<LimbPlace> limbOf(const IkProblem& problem, const Kinematics& kinematics, const GoalItem& goal);

/// How far a hinge bends a limb: the angle at it between the way from the joint above and the way to a point, as they
/// are seen along its axis.
struct HingeBend {
  double angle = 0.0;     ///< radians, signed as the hinge's coordinate
  double straight = 0.0;  ///< the coordinate at which the limb is straight
  int side = 0;           ///< on which it prefers to bend: 1 above `straight`, -1 below, 0 for no preference
  double above = 0.0, below = 0.0;  ///< metres across the axis: from the joint above, and to the point
  double along = 0.0;               ///< metres along the axis, from the joint above to the point
  Eigen::Vector3d root = Eigen::Vector3d::Zero();  ///< the place of the joint above, world
};
/// Of a hinge at or above `link`, with the point in that link; nothing where the limb has no length across the axis.
///
/// The side is that of the user's preferred angle. Without one, where neither bone is shorter than about half of the
/// other: of limits that leave at least four fifths of their range on one side of straight, as a knee's do; else of the
/// rest pose, where the figure's author has bent it a little.
/// `kinematics` are those of the pose.
std::optional<HingeBend> bendOf(const IkProblem& problem, const Pose& pose, const Kinematics& kinematics, int hinge,
                                int link, const Eigen::Vector3d& pointInLink);

}  // namespace limber
