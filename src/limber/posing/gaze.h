// SPDX-License-Identifier: MIT
// Heads that look at a target (docs/natural_posing.md). A goal that aims or directs a head leaves it free to turn
// about the line of sight. Such a goal gets a gentle companion, a LevelGoal, which keeps the head's left-right axis
// horizontal; where the body lies or leans by more than 60 degrees, square to the trunk's length instead.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "limber/goals/goal.h"
#include "limber/problem/ik_problem.h"

namespace limber {

/// A goal that turns a link to a place or a direction.
struct Sight {
  int link = 0;
  Eigen::Vector3d direction = Eigen::Vector3d::UnitX();  ///< unit, link frame
  bool isDragged = false;
  bool operator==(const Sight&) const = default;
};

/// A joint of the spine below a head, with the trunk's length as its axis (unit, link frame).
struct SpineJoint {
  int link = 0;
  Eigen::Vector3d axis = Eigen::Vector3d::UnitY();
};

/// A head that looks along a sight.
struct Gaze {
  Sight sight;
  int head = 0;                                     ///< topmost link of the head: that of the sight or one above it
  Eigen::Vector3d left = Eigen::Vector3d::UnitX();  ///< unit, frame of the sight's link, square to the sight
  Eigen::Vector3d up = Eigen::Vector3d::UnitY();    ///< unit, world: the head is level where `left` is square to it
  std::vector<int> neck;                            ///< links from that of the sight down to the neck's first
  std::vector<SpineJoint> spine;                    ///< from the chest down, without the root
};

/// True for goals that turn a link's axis to a place or a direction and leave the turn about the axis free.
bool isGaze(const GoalItem& goal);

/// The sights of heads that look ahead, within 60 degrees. People's heads are found by names or shape
/// (BodyMap::roles()); other figures with limbs have one where a link is its own mirror image, carries no limbs, and
/// hangs on one that does.
/// start    transforms of the pose in which `up` is decided
std::vector<Gaze> findGazes(const IkProblem& problem, std::span<const Sight> sights, const Kinematics& start);

/// True if the gaze belongs to the goal.
bool isOfGaze(const GoalItem& goal, const Gaze& gaze);

/// Additional goals for a gaze: one keeps the head level and, while the gaze is dragged, another keeps the head's joint
/// at its place of the start.
/// weight  the rest weight times that of the goal
std::vector<std::unique_ptr<Goal>> makeGazeGoals(const Gaze& gaze, const Kinematics& start, double weight,
                                                 double meanLinkLength);

}  // namespace limber
