// SPDX-License-Identifier: MIT
// The clock of a document: its frames, and the current one. There is one clock for everything that a document plays:
// its motion with the layer of keys, keys of poses and goals, and paths. A motion alone is counted in its own frames;
// with keys or paths over it the timeline has length and frame rate. Document::time is the current time;
// Document::frame, the frame of the motion, follows it.
#pragma once

#include <memory>

#include "limber/scene/timeline.h"

namespace limber {

struct Document;
struct Motion;

/// Frames at 0, 1 / framesPerSecond, ... seconds.
struct Clock {
  int frameCount = 1;             ///< >= 1
  double framesPerSecond = 30.0;  ///< > 0

  double timeOf(int frame) const { return frame / framesPerSecond; }
  double length() const { return timeOf(frameCount - 1); }  ///< seconds
  /// The frame nearest to a time, seconds.
  int frameAt(double time) const;
  /// The time of the nearest frame, at which keys are set.
  double snapped(double time) const { return timeOf(frameAt(time)); }
};

/// All frames that are not after the timeline's end.
Clock clockOf(const Timeline& timeline);
Clock clockOf(const Document& document);
/// The current frame of the clock.
int currentFrame(const Document& document);

/// True if the document shows a motion of several frames without keys of poses or goals and without paths.
bool showsMotion(const Document& document);
/// The motion from which keyed goals and paths move the figure away; null without a motion of several frames, if poses
/// are keyed, which replace it, and if the motion was baked from the timeline.
std::shared_ptr<const Motion> motionBeneath(const Document& document);
/// True if poses are keyed as changes of a motion (scene/motion_layer.h), not as whole poses.
bool keysLayer(const Document& document);
/// True if there is something to play: a motion of several frames, keys or paths.
bool canPlay(const Document& document);

/// Shows a time of a document without keys and paths: a frame of its motion, or only the time. The time is snapped to a
/// frame.
void showTime(Document& document, double time);

}  // namespace limber
