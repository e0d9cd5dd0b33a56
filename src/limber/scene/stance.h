// SPDX-License-Identifier: MIT
// Stances: the times in which a point of a foot stands still in a motion. A motion put onto another body keeps them
// (scene/held_stances.h), so that feet do not slide.
#pragma once

#include <functional>
#include <vector>

#include "limber/body/sole.h"
#include "limber/kinematics/pose.h"

namespace limber {

enum class StancePoint { Heel, Ball };

/// The frames from `begin` to `end`, both included, in which a point stands.
struct Stance {
  BodySide side = BodySide::Left;
  StancePoint point = StancePoint::Ball;
  int begin = 0, end = 0;

  bool operator==(const Stance&) const = default;
};

/// The poses of a motion, by frame.
struct Frames {
  int count = 0;
  double time = 1.0 / 30.0;  ///< seconds from frame to frame
  std::function<Pose(int)> poseAt;
};

/// The stances of a human body's motion, ordered by side, point and time. Empty for other figures.
///
/// A point stands while it is slow and near the floor, which is the height at which this point is usually slow; or
/// while it is slow anywhere and carries the body, as on stairs. Speeds are in lengths of the leg per second, with a
/// higher limit for the end of a stance than for its begin. Stances of less than a twelfth of a second are left out,
/// and gaps of less than a twentieth are closed. A stance in which the point slides ends where it begins to.
std::vector<Stance> findStances(const Figure& figure, const Frames& frames);

/// Metres above y = 0: the height at which the feet of a human body stand in a motion. Without stances the ground on
/// which it stands at rest; 0 for other figures.
double floorOfStances(const Figure& figure, const Frames& frames, const std::vector<Stance>& stances);

}  // namespace limber
