// SPDX-License-Identifier: MIT
// The feet that stay where they stand while something else is dragged.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "limber/kinematics/forward_kinematics.h"
#include "limber/problem/ik_problem.h"

namespace limber {

inline constexpr double kFootholdHeight = 0.02;  ///< of the figure's size (problem/limb.h): what counts as on the ground

inline constexpr std::size_t kMostFeet = 100;   ///< a figure with more ends on the ground stands on none by itself

struct Foothold {
  int link = 0;
  Eigen::Vector3d point = Eigen::Vector3d::Zero();  ///< that stays: metres, in the link
  bool isSole = false;  ///< it neither slides nor turns; else it may turn about the point in which it touches the ground
};

/// The feet that a drag holds, in order of their links.
///
/// The ground is y = 0, or the figure's lowest point at rest where that stands above it or far below, or where the
/// figure's motion has its floor a little higher. A foot is on the ground when its lowest point is not higher than
/// kFootholdHeight above it; a sole counts where it is within 30 degrees of level, which it is at rest.
///
///   people          feet with their toes; the toes alone where the heel is lifted
///   other figures   what nothing hangs on, stands on the ground at rest too, and ends a limb that comes down to it:
///                   paws, robots' feet. A shank that ends on the ground is held by its end alone
///
/// Left out are feet in whose own limb (problem/limb.h) something is dragged, and those that the user pinned wholly. Hands
/// and knees are never held. Empty where freeLinkFor() finds nothing that could move above the feet.
/// kinematics  of the pose at the beginning of the drag
std::vector<Foothold> findFootholds(const IkProblem& problem, const Kinematics& kinematics,
                                    const std::vector<int>& draggedLinks);

/// What the figure stands on at rest as no person does, whatever carries it: the ends of limbs that come down to where
/// its lowest point is.
std::vector<Foothold> feetAtRest(const Figure& figure);

/// Where a motion of `frames` > 0 poses has its floor, metres above y = 0: the figure's lowest point in the middle one of
/// them, sorted by it. In motion capture the floor is seldom just at y = 0.
double floorOf(const Figure& figure, int frames, const std::function<Pose(int)>& poseAt);

bool isWhollyPinned(const IkProblem& problem, int link);

/// The link whose free joint moves the body above a link; -1 when there is none, or the user locked it. A lock that the
/// figure came with is meant to be lifted while feet are held.
int freeLinkFor(const IkProblem& problem, int link);

}  // namespace limber
