// SPDX-License-Identifier: MIT
#include "app/features/timeline_actions.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <memory>
#include <set>

#include "app/features/layering.h"
#include "app/settings/units.h"
#include "limber/scene/bake.h"
#include "limber/scene/held_stances.h"
#include "limber/scene/keyed_poses.h"

namespace limber::app {

namespace {

constexpr const char* kStepThroughTimeline = "step through the timeline";

std::string secondsText(double time) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f s", time);
  return text;
}

}  // namespace

void goToTime(Editing& editing, double time, const std::string& gesture) {
  const std::string fault = editing.playing.goTo(editing.editor, editing.solving, time, gesture);
  if (!fault.empty()) editing.fail(fault);
}

bool arrowsMeanTime(const Editing& editing) { return editing.settings.visible.timeline || canPlay(editing.document()); }

void goToFrame(Editing& editing, int frame) {
  goToTime(editing, clockOf(editing.document()).timeOf(frame), kStepThroughTimeline);
}

void stepFrame(Editing& editing, int by) {
  const Document& document = editing.document();
  if (!arrowsMeanTime(editing)) return;
  goToFrame(editing, std::clamp(currentFrame(document) + by, 0, clockOf(document).frameCount - 1));
}

void goToKey(Editing& editing, int direction) {
  const std::set<int> frames = keyedFrames(editing.document());
  if (frames.empty()) return editing.say("nothing is keyed: K keys the pose");
  const int now = currentFrame(editing.document());
  const auto next = frames.upper_bound(now), at = frames.lower_bound(now);
  if (direction > 0 ? next == frames.end() : at == frames.begin())
    return editing.say(direction > 0 ? "this is the last key" : "this is the first key");
  const int wanted = direction > 0 ? *next : *std::prev(at);
  goToFrame(editing, wanted);
}

void keyPresentPose(Editing& editing) {
  editing.playing.stop();
  if (keysLayer(editing.document())) return keyOverMotion(editing);
  editing.editor.edit("key the pose", "", keyPose);
  editing.settings.visible.timeline = true;
  editing.say("pose keyed at " + secondsText(editing.document().time) + ", Ctrl+K removes the key");
}

void findMotionStances(Editing& editing) {
  const Document& document = editing.document();
  if (!hasFrames(document)) return editing.say("there is no motion whose feet could be held");
  editing.playing.stop();
  if (document.motion->bare().unheld) {
    editing.editor.edit("let feet slide", "", [](Document& d) { setStances(d, {}); });
    return editing.say("feet slide as before");
  }
  std::vector<Stance> stances = findStances(*document.figure, framesOf(*document.figure, document.motion->bare()));
  if (stances.empty()) return editing.say("no foot of a human body stands still in this motion");
  editing.editor.edit("hold standing feet", "", [&](Document& d) { setStances(d, stances); });
  editing.settings.visible.timeline = true;
  editing.say(std::to_string(stances.size()) + (stances.size() == 1 ? " stance is" : " stances are") +
              " held; the timeline shows them");
}

void keyPresentGoals(Editing& editing) {
  const Document& document = editing.document();
  if (document.goals.empty()) return editing.say("there are no goals to key");
  editing.playing.stop();
  const int goal = findGoal(document, document.selection.goal) ? document.selection.goal : -1;
  editing.editor.edit("key goals", "", [&](Document& d) { keyGoals(d, goal); });
  editing.settings.visible.timeline = true;
  editing.say((goal >= 0 ? "goal keyed at " : "goals keyed at ") + secondsText(editing.document().time));
}

void removePresentKey(Editing& editing) {
  bool isRemoved = false;
  editing.playing.stop();
  editing.editor.edit("remove key", "", [&](Document& d) { isRemoved = removeKey(d, d.time); });
  if (!isRemoved && keysLayer(editing.document())) return removeKeyOverMotion(editing);
  editing.say(isRemoved ? "key removed" : "there is no key at " + secondsText(editing.document().time));
}

namespace {

void finishBake(Editing& editing, const std::shared_ptr<const Document>& asked, BakeAs what, const BakeResult& result) {
  if (result.isCancelled) return;
  if (!result.fault.empty()) return editing.fail("The bake could not begin: " + result.fault);
  if (editing.document().figure != asked->figure || editing.document().timeline != asked->timeline)
    return editing.fail("The figure or the timeline has changed: the bake is discarded");
  editing.stop();
  editing.editor.endGesture();
  const std::string told = inUnit(result.sentence(), editing.settings.unit);
  if (what == BakeAs::Keys) {
    editing.editor.edit("bake to keys", "", [&](Document& d) { keyBaked(result, kBakeKeysWithin, d); });
    const auto count = std::to_string(editing.document().timeline->keys.size());
    return editing.say("Baked to " + count + " keys: " + told + ". Ctrl+Z goes back", 8.0);
  }
  editing.editor.edit("bake", "", [&](Document& d) {
    takeBaked(result, d);
    d.time = result.frames.front().time;
  });
  editing.playing.noteBaked(editing.document());
  editing.say("Baked: " + told + ". Ctrl+E exports it", 8.0);
}

}  // namespace

bool startBake(Editing& editing, Job& job, BakeAs what) {
  const auto& timeline = editing.document().timeline;
  if (!timeline || timeline->isEmpty()) {
    editing.say("nothing to bake yet: K keys the pose, and a goal can follow a path");
    return false;
  }
  editing.stop();
  auto asked = std::make_shared<const Document>(editing.document());
  job.start("Baking the timeline", [&editing, asked, what](const Job::Progress& progress) -> Job::Finish {
    auto result = std::make_shared<const BakeResult>(
        bake(*asked, {}, [&](double part) { return progress(part, "frame by frame"); }));
    return [&editing, asked, what, result] { finishBake(editing, asked, what, *result); };
  });
  return true;
}

}  // namespace limber::app
