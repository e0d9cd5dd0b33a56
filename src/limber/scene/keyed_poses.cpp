// SPDX-License-Identifier: MIT
#include "limber/scene/keyed_poses.h"

#include <algorithm>

#include "limber/posing/posed_problem.h"

namespace limber {

KeyedPoses::KeyedPoses(const Document& document) : document_(document), clock_(clockOf(document)) {
  if (showsMotion(document) || !document.timeline) return;
  sampler_.emplace(document);
  set_.emplace(*document.figure, limitsOf(document));
  closer_.emplace(document);
}

std::optional<Pose> KeyedPoses::at(int frame) const {
  const Figure& figure = *document_.figure;
  if (showsMotion(document_)) return document_.motion->poseAt(figure, frame);
  if (!sampler_ || !sampler_->hasPoses()) return std::nullopt;
  Pose pose = sampler_->poseAt(clock_.timeOf(frame));
  set_->project(pose);
  closer_->close(pose);
  return pose;
}

std::set<int> framesToShow(const std::set<int>& keys, int first, int last) {
  constexpr int kMostFrames = 400;
  std::set<int> frames(keys.lower_bound(first), keys.upper_bound(last));
  const int stride = std::max(1, (last - first) / kMostFrames);
  for (int frame = first; frame < last; frame += stride) frames.insert(frame);
  frames.insert(last);
  return frames;
}

std::set<int> keyedFrames(const Document& document) {
  std::set<int> frames;
  const Clock clock = clockOf(document);
  if (document.timeline)
    for (const TimelineKey& key : document.timeline->keys) frames.insert(clock.frameAt(key.time));
  if (keysLayer(document))
    for (const int frame : document.motion->layer.frames())
      frames.insert(clock.frameAt(document.motion->timeOf(frame)));
  return frames;
}

}  // namespace limber
