// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "limber/scene/accelerations.h"

namespace limber {

/// Moves the arms out of the body (posing/arms_out.h) in all frames of a motion, smoothly in time: the change begins
/// before an arm would touch the body and ends after it. Poses stay unchanged if no arm is inside in any frame, or if
/// the problem's self-avoidance is off.
///
/// frameTime  seconds, > 0
/// most       accelerations of the arms that are reduced where that leaves the arms outside (scene/accelerations.h)
void clearArms(const IkProblem& problem, double frameTime, Accelerations most, std::vector<Pose>& poses);

}  // namespace limber
