// SPDX-License-Identifier: MIT
#include "app/playing.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

#include "app/session.h"
#include "app/units.h"

namespace limber::app {

namespace {

constexpr double kBakeAtOnce = 0.05;   // seconds: what is baked within them is there in this frame
constexpr double kNearInTime = 0.5;    // seconds: a scrub over less goes on from the last pose

std::string secondsText(double time) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f s", time);
  return text;
}

void toggleMotion(Session& session) {
  Playback& playback = session.ui.playback;
  const Document& document = session.document();
  playback.isPlaying = !playback.isPlaying;
  playback.started = session.now;
  playback.from = !playback.loop && document.frame + 1 >= document.motion->frameCount ? 0 : document.frame;
}

}  // namespace

bool hasNothingToPlay(const Document& document) {
  return !document.timeline || (document.timeline->keys.empty() && document.timeline->paths.empty());
}

void Playing::toggle(Session& session) {
  const Document& document = session.document();
  if (isPlaying_) {
    stop();
    session.editor.endGesture();
    return;
  }
  if (hasNothingToPlay(document)) {
    if (document.motion && document.motion->frameCount > 1) return toggleMotion(session);
    return session.say("nothing to play yet: K keys the pose, and a goal can follow a path");
  }
  session.ui.playback.isPlaying = false;
  session.editor.endGesture();
  const Timeline& timeline = *document.timeline;
  const bool isAtEnd = frameNearest(timeline, document.time) + 1 >= frameCountOf(timeline);
  isPlaying_ = true;
  started_ = session.now;
  from_ = isAtEnd ? 0.0 : snapToFrame(timeline, document.time);
  frame_ = -1;
}

std::optional<double> Playing::nextFrame(const Document& document) const {
  if (!isPlaying_ || !document.timeline) return std::nullopt;
  const Timeline& timeline = *document.timeline;
  constexpr double kLate = 1e-4;  // seconds
  return started_ + timeOfFrame(timeline, frame_ + 1) - from_ + kLate;
}

void Playing::update(Session& session) {
  if (!isPlaying_) return;
  const Document& document = session.document();
  if (hasNothingToPlay(document)) return stop();
  const Timeline& timeline = *document.timeline;
  const int last = frameCountOf(timeline) - 1;
  const double time = from_ + (session.now - started_);
  int frame = static_cast<int>(std::min(std::floor(time * timeline.framesPerSecond + 1e-6), 1e9));
  bool ends = false;
  if (frame > last) {
    ends = !loop;
    frame = loop ? frame % (last + 1) : last;
    from_ = timeOfFrame(timeline, frame);
    started_ = session.now;
  }
  if (frame != frame_) {
    const bool goesOn = frame_ >= 0;
    frame_ = frame;
    show(session, timeOfFrame(timeline, frame), goesOn, "play", "play timeline");
  }
  if (!ends) return;
  stop();
  session.editor.endGesture();
}

void Playing::goTo(Session& session, double time, const std::string& gesture) {
  const Document& document = session.document();
  stop();
  session.ui.playback.isPlaying = false;
  if (!document.timeline || !std::isfinite(time)) return;
  const double wanted = snapToFrame(*document.timeline, time);
  const bool goesOn = !gesture.empty() && gesture == scrubbed_ && gesture == session.editor.gesture() &&
                      std::abs(wanted - document.time) < kNearInTime;
  scrubbed_ = gesture;
  show(session, wanted, goesOn, "scrub", gesture);
}

bool Playing::isBaked(const Document& document) const {
  return baked_.figure && document.motion == baked_.motion && document.motion && document.figure == baked_.figure &&
         document.timeline == baked_.timeline && document.joints == baked_.joints && document.pins == baked_.pins &&
         document.mode == baked_.mode && document.solver == baked_.solver &&
         document.couplingEnabled == baked_.couplingEnabled &&
         document.linearLimitEnabled == baked_.linearLimitEnabled && document.obstacles == baked_.obstacles &&
         document.avoidsItself == baked_.avoidsItself && document.keepsBalance == baked_.keepsBalance &&
         document.goals.size() == baked_.goals.size();
}

void Playing::noteBaked(const Document& document) { baked_ = document; }

void Playing::show(Session& session, double time, bool goesOn, const char* label, const std::string& gesture) {
  if (!player_ || !player_->isFor(session.document())) {
    if (const std::string fault = findFault(*session.document().timeline, session.document()); !fault.empty()) {
      stop();
      return session.fail("The timeline cannot play: " + fault);
    }
    player_.emplace(session.document());
    goesOn = false;
  }
  session.solving.cancel();
  std::optional<PosingRequest> request;
  const bool showsBaked = isBaked(session.document());
  const bool isChanged = session.editor.edit(label, gesture, [&](Document& d) {
    const Pose before = d.pose;
    request = player_->cue(time, goesOn, d);
    if (!showsBaked) return;
    d.pose = before;
    const double frame = std::round(time / d.motion->frameTime);
    d.frame = std::clamp(static_cast<int>(frame), 0, d.motion->frameCount - 1);
    d.pose = d.motion->poseAt(*d.figure, d.frame);
  });
  if (!request || showsBaked) return;
  // The time may be that of the step before: what the solver finds is a step all the same.
  if (!isChanged && (gesture.empty() || gesture != session.editor.gesture())) session.editor.beginStep(label, gesture);
  session.solving.request(std::move(*request));
}

void stepFrame(Session& session, int by) {
  const Document& document = session.document();
  if (!hasNothingToPlay(document)) {
    const Timeline& timeline = *document.timeline;
    const int frame = std::clamp(frameNearest(timeline, document.time) + by, 0, frameCountOf(timeline) - 1);
    return session.playing.goTo(session, timeOfFrame(timeline, frame), "step through the timeline");
  }
  if (!document.motion || document.motion->frameCount < 2) return;
  session.ui.playback.isPlaying = false;
  session.editor.edit("step", "step through the motion", [&](Document& d) { showFrame(d, d.frame + by); });
}

void goToKey(Session& session, int direction) {
  const Document& document = session.document();
  if (showsMotion(document)) return goToKeyOverMotion(session, direction);
  if (!document.timeline || document.timeline->keys.empty()) return session.say("nothing is keyed: K keys the pose");
  const double nearby = 0.5 / document.timeline->framesPerSecond;
  std::optional<double> wanted;
  for (const TimelineKey& key : document.timeline->keys) {
    if (direction > 0 && key.time > document.time + nearby && !wanted) wanted = key.time;
    if (direction < 0 && key.time < document.time - nearby) wanted = key.time;
  }
  if (wanted) session.playing.goTo(session, *wanted, "step through the timeline");
}

void keyPresentPose(Session& session) {
  session.playing.stop();
  if (showsMotion(session.document())) return keyOverMotion(session);
  session.editor.edit("key the pose", "", keyPose);
  session.settings.visible.timeline = true;
  session.say("pose keyed at " + secondsText(session.document().time) + ", Ctrl+K removes the key");
}

void keyPresentGoals(Session& session) {
  const Document& document = session.document();
  if (document.goals.empty()) return session.say("no goal is planted that could be keyed");
  session.playing.stop();
  const int goal = findGoal(document, document.selection.goal) ? document.selection.goal : -1;
  session.editor.edit("key goals", "", [&](Document& d) { keyGoals(d, goal); });
  session.settings.visible.timeline = true;
  session.say((goal >= 0 ? "goal keyed at " : "goals keyed at ") + secondsText(session.document().time));
}

void removePresentKey(Session& session) {
  bool isRemoved = false;
  session.playing.stop();
  if (showsMotion(session.document())) return removeKeyOverMotion(session);
  session.editor.edit("remove key", "", [&](Document& d) { isRemoved = removeKey(d, d.time); });
  session.say(isRemoved ? "key removed" : "there is no key at " + secondsText(session.document().time));
}

namespace {

void finishBake(Session& session, const std::shared_ptr<const Document>& asked, BakeAs what, const BakeResult& result) {
  if (result.isCancelled) return;
  if (!result.fault.empty()) return session.fail("The bake could not begin: " + result.fault);
  if (session.document().figure != asked->figure || session.document().timeline != asked->timeline)
    return session.fail("Figure or timeline was changed: the bake is dropped");
  session.playing.stop();
  session.ui.playback.isPlaying = false;
  session.solving.cancel();
  session.editor.endGesture();
  const std::string told = inUnit(result.sentence(), session.settings.unit);
  if (what == BakeAs::Keys) {
    session.editor.edit("bake to keys", "", [&](Document& d) { keyBaked(result, kBakeKeysWithin, d); });
    const auto count = std::to_string(session.document().timeline->keys.size());
    return session.say("Baked to " + count + " keys: " + told + ". Ctrl+Z goes back", 8.0);
  }
  session.editor.edit("bake", "", [&](Document& d) {
    takeBaked(result, d);
    d.time = result.frames.front().time;
  });
  session.playing.noteBaked(session.document());
  session.say("Baked: " + told + ". Ctrl+E exports it", 8.0);
}

}  // namespace

void startBake(Session& session, BakeAs what) {
  if (hasNothingToPlay(session.document()))
    return session.say("nothing to bake yet: K keys the pose, and a goal can follow a path");
  session.playing.stop();
  session.ui.playback.isPlaying = false;
  session.solving.cancel();
  auto asked = std::make_shared<const Document>(session.document());
  session.job.start("Baking the timeline", [asked, what](const Job::Progress& progress) -> Job::Finish {
    auto result = std::make_shared<const BakeResult>(
        bake(*asked, {}, [&](double part) { return progress(part, "frame after frame"); }));
    return [asked, what, result](Session& finished) { finishBake(finished, asked, what, *result); };
  });
  if (session.job.wait(kBakeAtOnce)) finishJob(session);
}

}  // namespace limber::app
