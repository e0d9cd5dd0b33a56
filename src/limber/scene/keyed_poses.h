// SPDX-License-Identifier: MIT
// The keyed poses of a document at frames of its clock, without solves for goals: those of the motion with its layer,
// or the blend between keys within limits, with loops closed.
#pragma once

#include <optional>
#include <set>

#include "limber/objective/limits/feasible_set.h"
#include "limber/posing/loops_along.h"
#include "limber/scene/clock.h"
#include "limber/scene/document.h"
#include "limber/scene/timeline_sampler.h"

namespace limber {

class KeyedPoses {
 public:
  /// The document must outlive this, and have no faulty timeline.
  explicit KeyedPoses(const Document& document);
  /// The pose at a frame of the clock; empty if no pose is keyed.
  std::optional<Pose> at(int frame) const;

 private:
  const Document& document_;
  Clock clock_;
  std::optional<TimelineSampler> sampler_;
  std::optional<FeasibleSet> set_;
  mutable std::optional<LoopCloser> closer_;
};

/// The frames of all keys, ascending: of the timeline, and over a motion.
std::set<int> keyedFrames(const Document& document);
/// Some hundred frames from `first` to `last` at most, evenly spaced, and all keys between them.
std::set<int> framesToShow(const std::set<int>& keys, int first, int last);

}  // namespace limber
