// SPDX-License-Identifier: MIT
// Current and required position of a goal's end effector, from which marks are drawn.
#pragma once

#include "limber/kinematics/forward_kinematics.h"
#include "limber/problem/ik_problem.h"

namespace limber {

/// All in the world; frames as columns.
struct GoalPlace {
  Eigen::Vector3d point = Eigen::Vector3d::Zero();            ///< the end effector, or the centre of mass
  Eigen::Matrix3d frame = Eigen::Matrix3d::Identity();        ///< its axes
  Eigen::Vector3d wanted = Eigen::Vector3d::Zero();           ///< the point nearest to `point` that meets the goal
  Eigen::Matrix3d wantedFrame = Eigen::Matrix3d::Identity();  ///< the required axes
};

/// `kinematics` are those of problem.pose. Unconstrained numbers have their current values in `wanted`.
///
///   aim             wanted is the target, the x of wantedFrame the direction to it
///   half-space      wanted is the point itself on the allowed side
///   distance        wanted lies on the line through both points; above the other if they coincide
///   relative        wanted and wantedFrame are those of the other link
///   keep-pose       point and wanted are the link's origin
///   swivel          point and wanted are the middle of the limb, the x of frame the direction of its bend
///   centre of mass  wanted is at the same height
///
/// Never fails: a goal that is not well formed is placed at the world's origin. Cost: O(1); for the centre of mass one
/// sweep. No allocation.
GoalPlace placeOfGoal(const IkProblem& problem, const Kinematics& kinematics, const GoalItem& goal);

/// True if its links exist, its kept pose fits this figure, and all its numbers are finite.
bool isWellFormed(const IkProblem& problem, const GoalItem& goal);

/// The reference point of a distance or relative goal: on the other link, else the target.
Eigen::Vector3d otherPointOf(const Kinematics& kinematics, const GoalItem& goal);

}  // namespace limber
