// SPDX-License-Identifier: MIT
#pragma once

#include "limber/body/retarget_pose.h"

namespace limber {

/// retargetPose() with what it leaves out. Arms of a whole body's pose come out of the body (posing/arms_out.h), unless
/// the problem's self-avoidance is off. Linear limits hold: what they do not allow is told as stopped.
RetargetedPose carryPose(const IkProblem& problem, const PoseParts& parts, const RolePose& wanted, const Pose& present,
                         HandChoice hands = HandChoice::Both);

}  // namespace limber
