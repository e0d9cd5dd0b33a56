// SPDX-License-Identifier: MIT
// Goals of one solve from the state of a sender; the solve poses the figure within its limits.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "app/live/vmc.h"
#include "limber/posing/posing.h"

namespace limber::app {

/// Maps a sender's room and body to ours. It is found while person and figure have the same pose.
struct LiveCalibration {
  std::optional<Eigen::Vector3d> hips;  ///< of the sender, in its room, metres; none before it has sent bones
  /// The link to which a tracker is fixed.
  struct Attachment {
    int link = 0;
    Transform linkFromTracker;
  };
  std::map<std::string, Attachment> trackers;              ///< by serial number
  double trackerScale = 1.0;                               ///< our metres per metre of the room
  Eigen::Vector3d trackerShift = Eigen::Vector3d::Zero();  ///< of the scaled room, metres
};

/// Fixes each tracker to the link that is nearest to it in the present pose. The room is scaled so that the highest
/// tracker is as high as the highest link, and shifted so that it is above the same place.
void attachTrackers(const IkProblem& problem, const std::optional<io::VrmRig>& rig, const VmcState& state,
                    LiveCalibration& calibration);

/// Goals for the rotation of each bone that was sent and that the figure has, for the place of its hips, and for each
/// attached tracker. Bones that were not sent keep their rotations relative to their parents.
/// areExact: trackers act as pins, not as goals. Sets the calibration's hips if it has none.
PosingRequest liveRequest(const IkProblem& problem, const std::optional<io::VrmRig>& rig, const VmcState& state,
                          bool areExact, LiveCalibration& calibration);

}  // namespace limber::app
