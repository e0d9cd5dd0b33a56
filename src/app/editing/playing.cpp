// SPDX-License-Identifier: MIT
#include "app/editing/playing.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace limber::app {

namespace {

constexpr double kNearInTime = 0.5;  // seconds: a shorter scrub starts from the last pose
constexpr double kLate = 1e-4;       // seconds added to a frame's time, so that it is due

double frameTimeOf(const Motion& motion) { return std::max(motion.frameTime, 1e-3); }

}  // namespace

bool hasNothingToPlay(const Document& document) {
  return !document.timeline || (document.timeline->keys.empty() && document.timeline->paths.empty());
}

void Playing::stop() {
  isPlaying_ = false;
  motion.isPlaying = false;
}

void Playing::restart() {
  Playing fresh;
  fresh.motion = motion;
  fresh.loop = loop;
  *this = std::move(fresh);
}

bool Playing::toggle(Editor& editor, double now) {
  const Document& document = editor.document();
  if (isPlaying_) {
    isPlaying_ = false;
    editor.endGesture();
    return true;
  }
  if (hasNothingToPlay(document)) {
    if (!document.motion || document.motion->frameCount < 2) return false;
    toggleMotion(document, now);
    return true;
  }
  motion.isPlaying = false;
  editor.endGesture();
  const Timeline& timeline = *document.timeline;
  const bool isAtEnd = frameNearest(timeline, document.time) + 1 >= frameCountOf(timeline);
  isPlaying_ = true;
  started_ = now;
  from_ = isAtEnd ? 0.0 : snapToFrame(timeline, document.time);
  frame_ = -1;
  return true;
}

void Playing::toggleMotion(const Document& document, double now) {
  motion.isPlaying = !motion.isPlaying;
  motion.started = now;
  motion.from = !motion.loop && document.frame + 1 >= document.motion->frameCount ? 0 : document.frame;
}

std::optional<double> Playing::nextFrame(const Document& document, double now) const {
  std::optional<double> next;
  if (motion.isPlaying && document.motion) {
    const double frameTime = frameTimeOf(*document.motion);
    next = motion.started + (std::floor((now - motion.started) / frameTime) + 1.0) * frameTime + kLate;
  }
  if (isPlaying_ && document.timeline) {
    const double due = started_ + timeOfFrame(*document.timeline, frame_ + 1) - from_ + kLate;
    next = next ? std::min(*next, due) : due;
  }
  return next;
}

void Playing::updateMotion(Editor& editor, double now) {
  if (!motion.isPlaying) return;
  const Document& document = editor.document();
  if (!document.motion || document.motion->frameCount < 2) {
    motion.isPlaying = false;
    return;
  }
  const int count = document.motion->frameCount;
  const double passed = std::floor((now - motion.started) / frameTimeOf(*document.motion));
  int frame = motion.from + static_cast<int>(std::min(passed, 1e9));
  if (frame >= count && !motion.loop) motion.isPlaying = false;
  frame = motion.loop ? frame % count : std::min(frame, count - 1);
  if (frame != document.frame) editor.edit("play motion", "play", [frame](Document& d) { showFrame(d, frame); });
  if (!motion.isPlaying) editor.endGesture();
}

std::string Playing::update(Editor& editor, Solving& solving, double now) {
  updateMotion(editor, now);
  if (!isPlaying_) return {};
  const Document& document = editor.document();
  if (hasNothingToPlay(document)) {
    isPlaying_ = false;
    return {};
  }
  const Timeline& timeline = *document.timeline;
  const int last = frameCountOf(timeline) - 1;
  const double time = from_ + (now - started_);
  int frame = static_cast<int>(std::min(std::floor(time * timeline.framesPerSecond + 1e-6), 1e9));
  bool ends = false;
  if (frame > last) {
    ends = !loop;
    frame = loop ? frame % (last + 1) : last;
    from_ = timeOfFrame(timeline, frame);
    started_ = now;
  }
  std::string fault;
  if (frame != frame_) {
    const bool goesOn = frame_ >= 0;
    frame_ = frame;
    fault = show(editor, solving, timeOfFrame(timeline, frame), goesOn, "play", "play timeline");
  }
  if (!ends) return fault;
  isPlaying_ = false;
  editor.endGesture();
  return fault;
}

std::string Playing::goTo(Editor& editor, Solving& solving, double time, const std::string& gesture) {
  const Document& document = editor.document();
  stop();
  if (!document.timeline || !std::isfinite(time)) return {};
  const double wanted = snapToFrame(*document.timeline, time);
  const bool goesOn = !gesture.empty() && gesture == scrubbed_ && gesture == editor.gesture() &&
                      std::abs(wanted - document.time) < kNearInTime;
  scrubbed_ = gesture;
  return show(editor, solving, wanted, goesOn, "scrub", gesture);
}

bool Playing::isBaked(const Document& document) const {
  return baked_.figure && document.motion == baked_.motion && document.motion && document.figure == baked_.figure &&
         document.timeline == baked_.timeline && document.joints == baked_.joints && document.pins == baked_.pins &&
         document.mode == baked_.mode && document.solver == baked_.solver &&
         document.couplingEnabled == baked_.couplingEnabled &&
         document.linearLimitEnabled == baked_.linearLimitEnabled && document.obstacles == baked_.obstacles &&
         document.selfAvoidance == baked_.selfAvoidance && document.keepsBalance == baked_.keepsBalance &&
         document.goals.size() == baked_.goals.size();
}

void Playing::noteBaked(const Document& document) { baked_ = document; }

std::string Playing::show(Editor& editor, Solving& solving, double time, bool goesOn, const char* label,
                          const std::string& gesture) {
  if (!player_ || !player_->isFor(editor.document())) {
    if (const std::string fault = findFault(*editor.document().timeline, editor.document()); !fault.empty()) {
      isPlaying_ = false;
      return "The timeline cannot play: " + fault;
    }
    player_.emplace(editor.document());
    goesOn = false;
  }
  solving.cancel();
  std::optional<PosingRequest> request;
  const bool showsBaked = isBaked(editor.document());
  const bool isChanged = editor.edit(label, gesture, [&](Document& d) {
    const Pose before = d.pose;
    request = player_->cue(time, goesOn, d);
    if (!showsBaked) return;
    d.pose = before;
    const double frame = std::round(time / d.motion->frameTime);
    d.frame = std::clamp(static_cast<int>(frame), 0, d.motion->frameCount - 1);
    d.pose = d.motion->poseAt(*d.figure, d.frame);
  });
  if (!request || showsBaked) return {};
  // Even if the time is the same as before, the pose that the solver finds is a step.
  if (!isChanged && (gesture.empty() || gesture != editor.gesture())) editor.beginStep(label, gesture);
  solving.request(std::move(*request));
  return {};
}

}  // namespace limber::app
