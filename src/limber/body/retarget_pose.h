// SPDX-License-Identifier: MIT
// Retargeting: a pose of one body for another. Each part is turned as in the pose, as far as the joints and limits of
// the target figure allow.
//
//   order             parts from the root outward, each relative to the links above it, so that the next joint
//                     supplies the rotation that the limits of one joint exclude
//   ball joint        the wanted rotation, clamped to its cone and twist
//   hinges in a row   the nearest angles (body/nearest_angles.h), which weigh a bone's direction more than its twist
//   several links     share a part's rotation; if a limit stops a vertebra, the others take over its share
//   missing parts     are left out and reported; the parts beyond them are still turned as in the pose
//   root              the shift of the hips and the height of the lowest point, both in lengths of the leg
//   standing feet     as high above the ground as in the pose: knees bend and the root sinks as needed
//
// Joints above and between the parts are set to rest. Joints that belong to no part, fingers that the pose does not
// have, and locked joints keep their coordinates of `present`. Linear limits are not applied here; posing/carry_pose.h
// applies them.
#pragma once

#include <string>
#include <vector>

#include "limber/body/pose_parts.h"

namespace limber {

/// The hands of a body that take a pose of a single hand.
enum class HandChoice { Both, Left, Right };

struct RetargetedPose {
  Pose pose;
  std::vector<BodyPlace> told;     ///< the parts of the role pose for this figure
  std::vector<BodyPlace> leftOut;  ///< those of them that the figure does not have, or cannot turn
  std::vector<BodyPlace> stopped;  ///< parts that limits or locks keep more than five degrees from their direction
  std::string fault;               ///< empty, or why no part of the pose fits the figure; `pose` is then `present`
};

/// The same input gives the same bits. The problem's own pose is ignored.
RetargetedPose retargetPose(const IkProblem& problem, const PoseParts& parts, const RolePose& wanted,
                            const Pose& present, HandChoice hands = HandChoice::Both);

/// The part of a pose that this figure takes. A pose of a single hand is given to the chosen hands.
RolePose wantedOf(const PoseParts& parts, const RolePose& pose, HandChoice hands);

/// "3 of 19 parts left out: toes, left clavicle"; empty if none is left out.
std::string leftOutInWords(const RetargetedPose& retargeted);

}  // namespace limber
