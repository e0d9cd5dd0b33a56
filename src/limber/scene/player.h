// SPDX-License-Identifier: MIT
// A document whose timeline plays: at a time the targets stand where the timeline has them, and the pose is solved for
// them from the last one. Window and bake play alike; the one solves within a frame's budget, the other to the end.
//
// Where poses are keyed, the keyed pose K(t) is what the pull to rest leads to, and the solve begins from it with what
// the last frame had to change of it:
//
//   start(t) = K(t) (+) (last pose (-) K(time of the last frame))
//
// so that joints no goal uses move as they are keyed and the others go on from where they were. Among obstacles, and
// where links keep out of each other, the joints that the solve may move start as the last frame left them: that pose
// is clear.
//
// Without keyed poses the solve begins from the last pose, and the pull to rest leads where the document says: to rest,
// or to the pose from which the play began, as in a drag.
#pragma once

#include <optional>

#include "limber/objective/limits/feasible_set.h"
#include "limber/posing/posing.h"
#include "limber/scene/timeline_sampler.h"

namespace limber {

class Player {
 public:
  /// The document's timeline must be there and without fault.
  explicit Player(const Document& document);

  /// True while the document has the figure, limits, ties and timeline that the player was made for.
  bool isFor(const Document& document) const;

  /// Sets the document's time and goals, and its pose to where the solve is to begin, within limits. Returns the
  /// request of that solve; nothing where nothing is asked (no goal, no pin, forward mode): the pose is then the keyed
  /// one, or stays.
  ///
  /// goesOn: the document's pose is the answer to the last cue, not far from this one in time. Else the play begins
  /// here, from the keyed pose where there is one.
  std::optional<PosingRequest> cue(double time, bool goesOn, Document& document);

 private:
  std::shared_ptr<const Figure> figure_;
  std::shared_ptr<const Timeline> timeline_;
  std::vector<JointSettings> joints_;
  std::vector<char> couplingEnabled_, linearLimitEnabled_;
  std::shared_ptr<const TimelineSampler> sampler_;
  FeasibleSet set_;
  Pose keyed_;       ///< of the last cue; empty without keyed poses
  Pose startPose_;   ///< from which the play began
};

}  // namespace limber
