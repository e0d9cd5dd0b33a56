// SPDX-License-Identifier: MIT
// The bend of a limb: the two bones that form it, the direction in which it points, and the one that a straight limb
// prefers.
#pragma once

#include <optional>

#include "limber/kinematics/forward_kinematics.h"
#include "limber/problem/ik_problem.h"
#include "limber/problem/new_goal.h"

namespace limber {

/// The bone above a link: from the joint that turns the bone to the joint at which the link bends against it. Joints at
/// one point, such as a knee of three hinges, count as one joint; fixed links are parts of the bone.
struct UpperBone {
  int link = -1;                                     ///< -1 for none
  Eigen::Vector3d root = Eigen::Vector3d::Zero();    ///< metres, in the link
  Eigen::Vector3d middle = Eigen::Vector3d::Zero();  ///< metres, in the link
};
UpperBone upperBoneOf(const Figure& figure, int link);

/// The far end of the bone that a link belongs to: the farthest joint on it, or, without one, its default end effector
/// (endEffectorOf()).
EndEffector farEndOf(const Figure& figure, int link);

/// The place of a limb in the world, metres.
struct LimbPlace {
  Eigen::Vector3d root, middle, end;
  Eigen::Vector3d bend;  ///< unit, across the line from root to end: the direction of the bend, or of a straight limb's
};
/// Empty if the link of a swivel goal has no bone above it.
std::optional<LimbPlace> limbOf(const IkProblem& problem, const Kinematics& kinematics, const GoalItem& goal);

/// How far a hinge bends a limb: the angle, seen along the hinge's axis, between the line from the joint above to the
/// hinge and the line from the hinge to a point.
struct HingeBend {
  double angle = 0.0;               ///< radians, signed as the hinge's coordinate
  double straight = 0.0;            ///< the coordinate at which the limb is straight
  int side = 0;                     ///< the preferred side: 1 above `straight`, -1 below, 0 for no preference
  double above = 0.0, below = 0.0;  ///< metres across the axis: from the joint above, and to the point
  double along = 0.0;               ///< metres along the axis, from the joint above to the point
  Eigen::Vector3d root = Eigen::Vector3d::Zero();  ///< the position of the joint above, world
};
/// The bend at `hinge`, which is `link` or above it; empty if the limb has no length across the axis.
///
/// The preferred side is that of the user's preferred angle. Without one, and if neither bone is shorter than about
/// half of the other, it is the side on which at least four fifths of the limits' range lie, as a knee's do, else the
/// side to which the rest pose bends the limb.
/// kinematics   of `pose`
/// pointInLink  in `link`, metres
std::optional<HingeBend> bendOf(const IkProblem& problem, const Pose& pose, const Kinematics& kinematics, int hinge,
                                int link, const Eigen::Vector3d& pointInLink);

}  // namespace limber
