// SPDX-License-Identifier: MIT
// A pose of one body on another: each part is turned as the pose has it, as far as the other's joints and limits let it.
//
//   parts in order from the root outward, each against what stands above it by then: what one joint cannot do is made
//   up by the next
//   ball joint        the wanted turn, brought inside its cone and twist
//   hinges in a row   the angles that come nearest (problem/nearest_angles.h), the direction of the bone before its twist
//   several links     share a part's turn; a vertebra that a limit stops leaves its share to the others
//   missing parts     are left out, and told; the parts beyond stand as the pose has them all the same
//   the root          where the pose has it in lengths of the leg, the lowest point as high above the ground
//   standing feet     as high above the ground as the pose has them: knees bend, and the root sinks, by as much as it takes
//
// Joints above and between the parts stand at rest, joints of no part and of fingers that the pose does not tell as in
// `present`, locked joints too. Linear limits are not looked at: posing/carry_pose.h keeps them as well.
#pragma once

#include <string>
#include <vector>

#include "limber/problem/role_pose.h"

namespace limber {

/// Onto which hands of a body a pose of one hand goes.
enum class HandChoice { Both, Left, Right };

struct RetargetedPose {
  Pose pose;
  std::vector<PosePlace> told;     ///< parts of the role pose that this figure was to take
  std::vector<PosePlace> leftOut;  ///< those of them that the figure does not have, or cannot turn
  std::vector<PosePlace> stopped;  ///< those that stand off by more than five degrees of their bone, by limits or locks
  std::string fault;               ///< empty, or why nothing of the pose fits the figure: `pose` is then `present`
};

/// Same input, same bits. The problem's pose is not looked at.
RetargetedPose retargetPose(const IkProblem& problem, const PoseParts& parts, const RolePose& wanted,
                            const Pose& present, HandChoice hands = HandChoice::Both);

/// The turns that the parts of this figure are to take of a pose: a single hand's given to the chosen hands.
RolePose wantedOf(const PoseParts& parts, const RolePose& pose, HandChoice hands);

/// "3 of 19 parts left out: toes, left clavicle"; empty where none are.
std::string leftOutInWords(const RetargetedPose& retargeted);

}  // namespace limber
