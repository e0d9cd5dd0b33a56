// SPDX-License-Identifier: MIT
// Accelerations of a human body's parts in a motion, and their bound: a body with other proportions and limits than
// that for which a motion was made would else move by jerks.
#pragma once

#include <vector>

#include "limber/problem/ik_problem.h"
#include "limber/scene/stance.h"

namespace limber {

/// Of links: second differences of their places and of their rotations.
struct Accelerations {
  double places = 0.0;  ///< lengths of the leg per s^2, if nothing else is said
  double turns = 0.0;   ///< radians per s^2

  Accelerations operator*(double by) const { return {places * by, turns * by}; }
};

/// The second differences of a transform in three frames in a row: metres and radians.
Accelerations secondDifferences(const Transform& before, const Transform& now, const Transform& after);

/// The largest second differences that are allowed: metres and radians. Some are always allowed, because they are too
/// small to be seen.
///
/// most  lengths of the leg and radians per s^2
Accelerations largestDifferences(Accelerations most, double legLength, double frameTime);

/// The largest accelerations of any part of a human body but its fingers. Zero for other figures and for motions of
/// less than three frames.
Accelerations largestAccelerations(const Figure& figure, const Frames& frames);

enum class CalmedParts { All, Arms };

/// Reduces the accelerations of parts that exceed `most`. In such a frame the joints between the trunk and the part
/// move toward the mean of the frames before and after, by the part that `most` requires; a frame that thereby exceeds
/// it follows. A mean of two poses within limits is within limits, so none has to be clamped with a corner. Other
/// frames keep every bit. The root does not move.
///
/// Returns 1 for each frame that has changed.
std::vector<char> limitAccelerations(const IkProblem& problem, double frameTime, Accelerations most, CalmedParts which,
                                     std::vector<Pose>& poses);

}  // namespace limber
