// SPDX-License-Identifier: MIT
// Where a goal's end effector stands, and where the goal would have it: what marks are drawn from.
#pragma once

#include "limber/kinematics/forward_kinematics.h"
#include "limber/problem/ik_problem.h"

namespace limber {

/// All in the world; frames as columns.
struct GoalPlace {
  Eigen::Vector3d point = Eigen::Vector3d::Zero();            ///< the end effector, or the centre of mass
  Eigen::Matrix3d frame = Eigen::Matrix3d::Identity();        ///< its axes
  Eigen::Vector3d wanted = Eigen::Vector3d::Zero();           ///< the place nearest to `point` that the goal allows
  Eigen::Matrix3d wantedFrame = Eigen::Matrix3d::Identity();  ///< the axes that it asks for
};

/// `kinematics` are those of problem.pose. What a goal does not ask for is wanted as it is.
///
///   aim             wanted is the target, the x of wantedFrame the way to it
///   half-space      wanted is the point itself on the allowed side
///   distance        wanted lies on the line through both points; above the other when they fall together
///   relative        wanted and wantedFrame are those of the other link
///   keep-pose       point and wanted are the link's origin
///   swivel          point and wanted are where the limb bends, the x of frame the way that it bends
///   centre of mass  wanted is at the same height
///
/// Fails never: a goal that is not well formed stands at the world's origin.
/// Cost: O(1); the centre of mass one sweep. No allocation.
GoalPlace placeOfGoal(const IkProblem& problem, const Kinematics& kinematics, const GoalItem& goal);

/// True when its links exist, its kept pose is one of this figure, and every number that it is made of is finite.
bool isWellFormed(const IkProblem& problem, const GoalItem& goal);

/// The point that a distance is measured from, and a relative goal is relative to: on the other link, else the target.
Eigen::Vector3d otherPointOf(const Kinematics& kinematics, const GoalItem& goal);

}  // namespace limber
