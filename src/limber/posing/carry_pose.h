// SPDX-License-Identifier: MIT
#pragma once

#include "limber/problem/retarget_pose.h"

namespace limber {

/// retargetPose(), and then within the linear limits too: what they do not allow is told as stopped.
RetargetedPose carryPose(const IkProblem& problem, const PoseParts& parts, const RolePose& wanted, const Pose& present,
                         HandChoice hands = HandChoice::Both);

}  // namespace limber
