// SPDX-License-Identifier: MIT
// The messages of the Virtual Motion Capture protocol (https://protocol.vmc.info): bones of VRM and trackers.
//
// The protocol has the axes of Unity: x to the right of a body that faces z, y up, left-handed. Limber's body faces z,
// too, with x to its left, so that x changes its sign:
//
//   p = (-x, y, z)        q = (x, -y, -z, w)
//
// A bone's transform is relative to its parent bone, and its rotation is the identity in the T-pose: N of
// limber/io/gltf/vrm_rig.h.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/live/osc.h"
#include "limber/io/gltf/vrm_rig.h"
#include "limber/kinematics/transform.h"

namespace limber::app {

inline constexpr std::size_t kMaxLiveNames = 256;  ///< bones, and trackers, of one sender

/// The latest state of a sender.
struct VmcState {
  Transform root;                             ///< of the avatar, in its room
  std::map<std::string, Transform> bones;     ///< by the bone's name in VRM, "leftUpperArm": relative to its parent
  std::map<std::string, Transform> trackers;  ///< by serial number: in the room
};

enum class VmcTaken { Yes, NotOurs, Malformed };

/// Applies one message to the state. Malformed: too few arguments, numbers that are not finite, a quaternion that is
/// not unit, or more than kMaxLiveNames names.
VmcTaken takeVmc(const OscMessage& message, VmcState& state);

/// The subject of a message, "/VMC/Ext/Bone/Pos Hips"; empty if it has none.
std::string subjectOf(const OscMessage& message);

/// A pose for other programs. seconds: of any clock.
std::vector<OscMessage> vmcMessages(const Figure& figure, const io::VrmRig& rig, const Pose& pose, double seconds);

}  // namespace limber::app
