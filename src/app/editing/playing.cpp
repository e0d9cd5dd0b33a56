// SPDX-License-Identifier: MIT
#include "app/editing/playing.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "limber/scene/clock.h"

namespace limber::app {

namespace {

constexpr double kNearInTime = 0.5;      // seconds: a shorter scrub starts from the last pose
constexpr double kLate = 1e-4;           // seconds added to a frame's time, so that it is due
constexpr double kFrameRounding = 1e-6;  // frames
constexpr double kMostPassed = 1e9;
constexpr const char* kPlayGesture = "play";  // also of the step that made the motion, such as a fit

}  // namespace

void Playing::restart() {
  Playing fresh;
  fresh.run_ = run_;
  fresh.loop = loop;
  *this = std::move(fresh);
}

void Playing::setRun(const std::optional<Run>& run) {
  if (run_ == run) return;
  run_ = run;
  frame_ = -1;
}

bool Playing::toggle(Editor& editor, double now) {
  const bool wasPlaying = isPlaying();
  if (!wasPlaying && !canPlay(editor.document())) return false;
  editor.endGesture();
  if (wasPlaying) stop();
  else start(editor.document(), now);
  return true;
}

void Playing::start(const Document& document, double now) {
  stop();
  if (!canPlay(document)) return;
  const int frame = currentFrame(document);
  setRun(Run{frame + 1 >= clockOf(document).frameCount ? 0 : frame, now});
}

/// The frame since the start, counted on beyond the end.
int Playing::frameDue(const Document& document, double now) const {
  const double passed = (now - run_->started) * clockOf(document).framesPerSecond;
  return run_->from + static_cast<int>(std::clamp(std::floor(passed + kFrameRounding), 0.0, kMostPassed));
}

std::optional<double> Playing::nextFrame(const Document& document, double now) const {
  if (!run_) return std::nullopt;
  return run_->started + clockOf(document).timeOf(frameDue(document, now) + 1 - run_->from) + kLate;
}

std::string Playing::update(Editor& editor, Solving& solving, double now) {
  if (!run_) return {};
  const Document& document = editor.document();
  if (!canPlay(document)) {
    stop();
    return {};
  }
  const Clock clock = clockOf(document);
  int frame = frameDue(document, now);
  const bool isBeyond = frame >= clock.frameCount, ends = isBeyond && !loop;
  if (isBeyond) frame = loop ? frame % clock.frameCount : clock.frameCount - 1;
  if (isBeyond && loop && !showsMotion(document)) run_ = {frame, now};  // solved frames may come late
  std::string fault;
  if (frame != frame_) {
    const bool goesOn = frame_ >= 0;
    frame_ = frame;
    fault = show(editor, solving, clock.timeOf(frame), goesOn, "play", kPlayGesture);
  }
  if (!ends) return fault;
  stop();
  editor.endGesture();
  return fault;
}

std::string Playing::goTo(Editor& editor, Solving& solving, double time, const std::string& gesture) {
  const Document& document = editor.document();
  stop();
  if (!std::isfinite(time)) return {};
  const double wanted = clockOf(document).snapped(time);
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
         document.linearLimitEnabled == baked_.linearLimitEnabled && hasSameWorld(document, baked_) &&
         document.goals.size() == baked_.goals.size();
}

std::string Playing::show(Editor& editor, Solving& solving, double time, bool goesOn, const char* label,
                          const std::string& gesture) {
  solving.cancel();
  if (editor.document().timeline && !showsMotion(editor.document()))
    return showSolved(editor, solving, time, goesOn, label, gesture);
  editor.edit(label, gesture, [&](Document& d) { showTime(d, time); });
  return {};
}

std::string Playing::showSolved(Editor& editor, Solving& solving, double time, bool goesOn, const char* label,
                                const std::string& gesture) {
  if (!player_ || !player_->isFor(editor.document())) {
    if (const std::string fault = findFault(*editor.document().timeline, editor.document()); !fault.empty()) {
      stop();
      return "The timeline cannot play: " + fault;
    }
    player_.emplace(editor.document());
    goesOn = false;
  }
  std::optional<PosingRequest> request;
  const bool showsBaked = isBaked(editor.document());
  const bool isChanged = editor.edit(label, gesture, [&](Document& d) {
    request = player_->cue(time, goesOn, d);
    if (showsBaked) d.pose = d.motion->poseAt(*d.figure, d.frame);
  });
  if (!request || showsBaked) return {};
  // Even if the time is the same as before, the pose that the solver finds is a step.
  if (!isChanged && (gesture.empty() || gesture != editor.gesture())) editor.beginStep(label, gesture);
  solving.request(std::move(*request));
  return {};
}

}  // namespace limber::app
