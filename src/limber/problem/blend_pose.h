// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "limber/problem/ik_problem.h"

namespace limber {

/// The way from one pose to another: angles and lengths in proportion, rotations by their shortest turn, hinges that go
/// round the short way. At 0 and 1 the poses themselves, to the bit. Limits are not looked at: a cone may bulge less
/// than the way.
Pose blendPoses(const IkProblem& problem, const Pose& from, const Pose& to, double share);

/// `base` with the coordinates that `pose` has for the joints and all that hangs from them; without joints all of `pose`.
Pose takeFrom(const Figure& figure, const Pose& base, const Pose& pose, const std::vector<int>& joints);

}  // namespace limber
