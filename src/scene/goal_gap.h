// SPDX-License-Identifier: MIT
// How far a pose is from what a goal asks, by geometry alone: no weights, no units but metres and radians. What marks,
// panels and reports say of a goal comes from here.
#pragma once

#include "kinematics/forward_kinematics.h"
#include "scene/document.h"

namespace limber {

struct GoalGap {
  Eigen::Vector3d point = Eigen::Vector3d::Zero();       ///< the end effector, or the centre of mass; world
  Eigen::Matrix3d frame = Eigen::Matrix3d::Identity();   ///< its axes, as columns; world
  Eigen::Vector3d wanted = Eigen::Vector3d::Zero();      ///< the place nearest to `point` that the goal allows; world
  Eigen::Matrix3d wantedFrame = Eigen::Matrix3d::Identity();  ///< the axes asked for
  double length = 0.0;                                   ///< metres left, for goals that ask for a place
  double angle = 0.0;                                    ///< the largest that a direction is off, [0, pi]
};

/// `kinematics` are those of document.pose. What a goal does not ask for counts as met: directions with a scale of 0,
/// the position of an orientation goal, a share of 0.
///
///   aim             angle between the ray and the way to the target, 0 with the target on the point; no length.
///                   wanted is the target, wantedFrame's x the way to it
///   half-space      length is 0 on the allowed side
///   distance        wanted lies on the line through both points; along y when they fall together
///   relative        wanted and wantedFrame are those of the other link
///   keep-pose       length and angle of the joints that are off most; point and wanted the link's origin
///   centre of mass  along the ground: height is not asked for
///
/// Fails never: a goal on a link that does not exist, or with a kept pose of another figure, has no gap.
/// Cost: O(1); keep-pose and centre of mass one sweep. No allocation.
GoalGap findGoalGap(const Document& document, const Kinematics& kinematics, const GoalItem& goal);

/// Within document.solver.reachedTolerance: mean link lengths and radians.
bool isMet(const Document& document, const GoalGap& gap);

/// True when its links exist and every number that it is made of is finite.
bool isWellFormed(const Document& document, const GoalItem& goal);

/// The point that all of the figure's mass balances on; the first link's origin for a figure without mass.
Eigen::Vector3d findCentreOfMass(const Figure& figure, const Kinematics& kinematics);

}  // namespace limber
