// SPDX-License-Identifier: MIT
// Mirror images of poses and goals. The mirror plane moves with the figure and turns with it about the vertical, so
// that a body that has walked away or turned is mirrored in place.
#pragma once

#include <string>
#include <vector>

#include "limber/body/symmetry.h"
#include "limber/problem/ik_problem.h"

namespace limber {

/// The mirror plane in a pose. It moves with the figure's first free root, where that lies in the symmetry plane.
Mirror mirrorAt(const Figure& figure, const Symmetry& symmetry, const Pose& pose);

/// The pose with both sides exchanged, as the mirror shows it. Joints without a partner keep their coordinates. Limits
/// are not applied. Flipping twice gives the pose again, to rounding.
Pose flipped(const Figure& figure, const Symmetry& symmetry, const Pose& pose);

/// The pose with the joints of the other side as mirror images of those of side `from`; all other joints stay. Limits
/// are not applied.
Pose copiedAcross(const Figure& figure, const Symmetry& symmetry, const Pose& pose, BodySide from);

/// Makes the pose symmetric: the other side becomes the image of side `from`, and each joint in the middle halfway to
/// its own image, within the limits of both sides. A pose that is symmetric within 1e-10 does not change.
void makeSymmetric(const IkProblem& problem, const Symmetry& symmetry, BodySide from, Pose& pose);

/// The largest difference between a joint and its mirror image, radians or metres. Joints without a partner do not
/// count.
double asymmetry(const Figure& figure, const Symmetry& symmetry, const Pose& pose);

/// After an edit of a problem that keeps symmetry: copies the side that has changed more since `before`, a pose of the
/// same figure, to the other side. Does nothing if the pose has not changed.
void keepSymmetry(const Pose& before, IkProblem& problem);

/// Turns a goal into the same goal for the other side. False, without a change, if one of its links has no partner.
bool mirrorGoal(const Figure& figure, const Symmetry& symmetry, const Mirror& mirror, GoalItem& goal);

/// The names of the joints in which two poses differ by more than rounding.
std::vector<std::string> jointsThatDiffer(const Figure& figure, const Pose& a, const Pose& b);

}  // namespace limber
