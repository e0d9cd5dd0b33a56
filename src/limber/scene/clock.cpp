// SPDX-License-Identifier: MIT
#include "limber/scene/clock.h"

#include <algorithm>
#include <cmath>

#include "limber/scene/document.h"

namespace limber {

int Clock::frameAt(double time) const {
  return static_cast<int>(std::clamp(std::round(time * framesPerSecond), 0.0, frameCount - 1.0));
}

Clock clockOf(const Timeline& timeline) {
  constexpr double kRounding = 1e-9;  // frames
  return {1 + static_cast<int>(std::floor(timeline.length * timeline.framesPerSecond + kRounding)),
          timeline.framesPerSecond};
}

Clock clockOf(const Document& document) {
  if (showsMotion(document)) return {document.motion->frameCount, 1.0 / document.motion->secondsPerFrame()};
  return document.timeline ? clockOf(*document.timeline) : clockOf(Timeline());
}

int currentFrame(const Document& document) {
  return showsMotion(document) ? document.frame : clockOf(document).frameAt(document.time);
}

bool showsMotion(const Document& document) {
  return hasFrames(document) && (!document.timeline || document.timeline->isEmpty());
}

std::shared_ptr<const Motion> motionBeneath(const Document& document) {
  const bool hasPoses = document.timeline && document.timeline->hasPoses();
  return hasFrames(document) && !hasPoses && !document.motion->bare().isBaked ? document.motion : nullptr;
}

bool keysLayer(const Document& document) { return showsMotion(document) || motionBeneath(document); }

bool canPlay(const Document& document) {
  return hasFrames(document) || (document.timeline && !document.timeline->isEmpty());
}

void showTime(Document& document, double time) {
  const Clock clock = clockOf(document);
  if (hasFrames(document)) showFrame(document, clock.frameAt(time));
  else document.time = clock.snapped(time);
}

}  // namespace limber
