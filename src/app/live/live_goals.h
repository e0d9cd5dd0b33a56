// SPDX-License-Identifier: MIT
// What the state of a sender asks of a figure: goals of one solve, which poses it within its limits.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "app/live/vmc.h"
#include "limber/posing/posing.h"

namespace limber::app {

/// How a sender's room and body lie in ours: found in the pose in which person and figure agree.
struct LiveCalibration {
  std::optional<Eigen::Vector3d> hips;  ///< of the sender, in its room, metres; none before it has told bones
  /// What a tracker is fixed to.
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

/// A goal for the rotation of each bone that the figure has, for the place of its hips, and for each attached tracker.
/// areExact: trackers are held as pins are, not pulled at. Learns the sender's hips where the calibration has none.
PosingRequest liveRequest(const IkProblem& problem, const std::optional<io::VrmRig>& rig, const VmcState& state,
                          bool areExact, LiveCalibration& calibration);

}  // namespace limber::app
