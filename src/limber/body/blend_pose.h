// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "limber/problem/ik_problem.h"

namespace limber {

/// Interpolates between two poses: angles and lengths linearly, rotations along the shortest turn, hinges without
/// limits the short way round. A share of 0 or 1 gives the poses themselves, to the bit. Limits are not checked: the
/// cone of a ball joint need not contain the path.
Pose blendPoses(const IkProblem& problem, const Pose& from, const Pose& to, double share);

/// `base`, with the coordinates of `joints` and of all joints below them taken from `pose`; all of `pose` if `joints`
/// is empty.
Pose takeFrom(const Figure& figure, const Pose& base, const Pose& pose, const std::vector<int>& joints);

}  // namespace limber
