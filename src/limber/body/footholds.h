// SPDX-License-Identifier: MIT
// The feet that stay on the ground while something else is dragged.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "limber/kinematics/forward_kinematics.h"
#include "limber/problem/ik_problem.h"

namespace limber {

inline constexpr double kFootholdHeight = 0.02;  ///< of the figure's size (body/limb.h): highest foot that counts

inline constexpr std::size_t kMostFeet = 100;  ///< a figure with more ends on the ground has no feet

/// A foot with toes stands on its ball: it may turn about one axis there, by which its heel rises.
struct FootBall {
  int foot = 0, toes = 0;                           ///< links; the toes lie flat
  Eigen::Vector3d place = Eigen::Vector3d::Zero();  ///< metres, in the foot
  Eigen::Vector3d axis = Eigen::Vector3d::UnitX();  ///< unit, in the foot; level at rest, and across it
  Eigen::Vector3d heel = Eigen::Vector3d::Zero();   ///< metres, in the foot
  /// Position of the heel on the ground: metres, world.
  Eigen::Vector3d ground = Eigen::Vector3d::Zero();
};

struct Foothold {
  int link = 0;
  Eigen::Vector3d point = Eigen::Vector3d::Zero();  ///< that stays: metres, in the link
  bool isSole = false;                ///< true: it neither slides nor turns; false: it may turn about its contact point
  std::optional<FootBall> ball = {};  ///< of a person's foot with toes
};

/// The feet that a drag holds, in order of their links.
///
/// The ground is y = 0; or the figure's lowest point at rest, if that is above y = 0 or far below it; or the floor of
/// the figure's motion, if that is slightly higher. A foot is on the ground if its lowest point is at most
/// kFootholdHeight above it. A sole must also be within 30 degrees of its orientation at rest.
///
///   people          feet; toes alone where the heel is raised. A foot with toes stands on its ball
///   other figures   leaf links that are near the ground at rest, too, and end a limb that comes down to it: paws, and
///                   feet of robots. If a shank ends on the ground, only its end is held
///
/// Feet are left out if something in their own limb (body/limb.h) is dragged, or if the user pinned both their position
/// and rotation. Hands and knees are never held. Empty if freeLinkFor() finds no free joint above the feet.
/// kinematics  of the pose at the beginning of the drag
std::vector<Foothold> findFootholds(const IkProblem& problem, const Kinematics& kinematics,
                                    const std::vector<int>& draggedLinks);

/// Metres above y = 0 of the lowest point of some links: of their capsules, or of their origins where none has
/// capsules.
double lowestOfLinks(const Figure& figure, const Kinematics& kinematics, const std::vector<int>& links);

/// The floor of a motion of `frames` > 0 poses, metres above y = 0: the median over frames of the figure's lowest
/// point. In motion capture the floor is seldom exactly at y = 0.
double floorOf(const Figure& figure, int frames, const std::function<Pose(int)>& poseAt);

/// True if both position and rotation of the link are pinned.
bool isWhollyPinned(const IkProblem& problem, int link);

/// The link whose free joint moves the body above a link; -1 without a free joint, or if the user locked it. A lock of
/// the figure's file does not count: it is lifted while feet are held.
int freeLinkFor(const IkProblem& problem, int link);

}  // namespace limber
