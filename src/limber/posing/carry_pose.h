// SPDX-License-Identifier: MIT
#pragma once

#include "limber/body/retarget_pose.h"

namespace limber {

/// Like retargetPose(), and moves the arms of a whole body's pose out of the body (posing/arms_out.h) unless the
/// problem's self-avoidance is off. Linear limits hold, and joints that they stop are reported.
RetargetedPose carryPose(const IkProblem& problem, const PoseParts& parts, const RolePose& wanted, const Pose& present,
                         HandChoice hands = HandChoice::Both);

}  // namespace limber
