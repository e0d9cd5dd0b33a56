// SPDX-License-Identifier: MIT
// Playback of a document's timeline. At each time the targets move to their places in the timeline, and the pose is
// solved from that of the last frame. The window solves within a budget for each frame, a bake (scene/bake.h) solves to
// the end.
//
// If poses are keyed, the keyed pose K(t) is the reference of the regulariser, and the solve starts from it with the
// change that the last frame needed:
//
//   start(t) = K(t) (+) (last pose (-) K(time of the last frame))
//
// so that joints that no goal uses move as keyed, and the others continue from their last coordinates. If collisions
// are avoided, the joints that the solve may move start with their last coordinates, because that pose is free of
// collisions.
//
// Loops are closed in keyed poses, each continuing the last one (LoopCloser::follow).
//
// A motion beneath keyed goals and paths (motionBeneath()) counts as keyed poses.
//
// Without keyed poses the solve starts from the last pose, and the reference is the document's: the rest pose, or the
// pose from which the playback began, as in a drag.
#pragma once

#include <optional>

#include "limber/objective/limits/feasible_set.h"
#include "limber/posing/loops_along.h"
#include "limber/posing/posing.h"
#include "limber/scene/timeline_sampler.h"

namespace limber {

class Player {
 public:
  /// The document must have a timeline without fault (findFault()).
  explicit Player(const Document& document);

  /// True while the document has the figure, limits, couplings, timeline and motion that the player was made for.
  bool isFor(const Document& document) const;

  /// Sets the document's time, frame and goals, and its pose to the start of the solve, within limits. Returns the
  /// request of that solve. Returns nothing without a goal or pin, and in forward mode; the pose is then the keyed one,
  /// or stays.
  ///
  /// goesOn: the document's pose is the answer to the last cue, which was shortly before this one in time. Otherwise
  /// the playback begins here, from the keyed pose where there is one.
  std::optional<PosingRequest> cue(double time, bool goesOn, Document& document);

 private:
  std::shared_ptr<const Figure> figure_;
  std::shared_ptr<const Timeline> timeline_;
  std::shared_ptr<const Motion> motion_;  ///< beneath keys and paths; null for none
  std::vector<JointSettings> joints_;
  std::vector<char> couplingEnabled_, linearLimitEnabled_;
  std::shared_ptr<const TimelineSampler> sampler_;
  FeasibleSet set_;
  LoopCloser closer_;
  Pose keyed_;      ///< of the last cue; empty without keyed poses
  Pose startPose_;  ///< from which the play began
};

}  // namespace limber
