// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "limber/problem/ik_problem.h"

namespace limber {

/// A function that moves the arms of a pose out of the body (posing/arms_out.h), for the poses of a motion in their
/// order. It leaves poses unchanged if the problem's self-avoidance is off.
std::function<void(Pose&)> makeArmClearing(const IkProblem& problem);

}  // namespace limber
