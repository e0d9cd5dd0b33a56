// SPDX-License-Identifier: MIT
// The timeline below the picture: transport, buttons for keys and bakes, and the track.
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "app/panels/panels.h"
#include "app/panels/timeline_curves.h"
#include "app/panels/timeline_track.h"
#include "app/panels/widgets.h"
#include "limber/scene/clock.h"
#include "limber/scene/motion_layer.h"

namespace limber::app {

namespace {

constexpr double kShortestTimeline = 0.1, kLongestTimeline = 3600.0;  // seconds
constexpr double kFastestTimeline = 240.0;                            // frames per second
constexpr float kFrameEms = 9.5f, kTimeEms = 3.5f;                    // "frame 370 / 3600"

/// Keeps the next item on this line if it has room there.
void sameLineFor(float width) {
  const float right = ImGui::GetWindowContentRegionMax().x + ImGui::GetWindowPos().x;
  if (ImGui::GetItemRectMax().x + ImGui::GetStyle().ItemSpacing.x + width <= right) ImGui::SameLine();
}

float buttonWidth(const char* label) {
  return ImGui::CalcTextSize(label, nullptr, true).x + 2.0f * ImGui::GetStyle().FramePadding.x;
}

bool flowButton(const char* label, const char* tip, bool enabled = true) {
  sameLineFor(buttonWidth(label));
  return button(label, tip, enabled);
}

void flowCommand(Command command, const Session& session, CommandQueue& queue, bool enabled = true,
                 const char* label = nullptr) {
  sameLineFor(buttonWidth(label ? label : infoOf(command).item.label));
  commandButton(command, session, queue, label, nullptr, enabled);
}

/// A field with its label on the left. True when `value` has changed, by a drag or typed.
bool flowNumber(const char* label, float fieldEms, double& value, const NumberStyle& style, UiState& ui,
                std::string& gesture) {
  const float em = ImGui::GetFontSize(), field = fieldEms * em;
  sameLineFor(ImGui::CalcTextSize(label).x + ImGui::GetStyle().ItemSpacing.x + field);
  ImGui::AlignTextToFramePadding();
  disabledText("%s", label);
  ImGui::SameLine();
  ImGui::SetNextItemWidth(field);
  ImGui::PushID(label);
  gesture = gestureOf("##value");
  const bool isChanged = editNumber("##value", value, style, ui);
  ImGui::PopID();
  return isChanged;
}

/// A field for a number of the timeline.
void timelineNumber(const char* label, float fieldEms, double Timeline::*number, double value, const NumberStyle& style,
                    UiState& ui, CommandQueue& queue) {
  std::string gesture;
  if (flowNumber(label, fieldEms, value, style, ui, gesture))
    queue.edit("length or rate of the timeline", gesture, AfterEdit::Nothing,
               [number, value](Document& d) { changeTimeline(d).*number = value; });
}

/// The current frame, which can be dragged, clicked and typed, and its time.
void drawFrame(const Session& session, const Clock& clock, UiState& ui, CommandQueue& queue) {
  const float em = ImGui::GetFontSize();
  const int now = currentFrame(session.document());
  sameLineFor(kFrameEms * em);
  ImGui::SetNextItemWidth(kFrameEms * em);
  const std::string format = "frame %.0f / " + std::to_string(clock.frameCount - 1);
  const std::string gesture = gestureOf("##frame");
  double frame = now;
  const NumberStyle style{
      .minimum = 0.0,
      .maximum = static_cast<double>(clock.frameCount - 1),
      .format = format.c_str(),
      .tooltip = "the current frame: drag to scrub, double-click to type; Left and Right go by one"};
  if (editNumber("##frame", frame, style, ui) && std::lround(frame) != now)
    queue.add(Command::ScrubTo, Scrub{clock.timeOf(static_cast<int>(std::lround(frame))), gesture});
  char text[32];
  std::snprintf(text, sizeof text, "%.2f s", clock.timeOf(now));
  sameLineFor(kTimeEms * em);
  ImGui::AlignTextToFramePadding();
  const float left = ImGui::GetCursorPosX();
  ImGui::TextUnformatted(text);
  ImGui::SameLine(left + kTimeEms * em);  // keeps the items behind it in place when its digits change
  ImGui::Dummy(ImVec2(0.0f, 0.0f));
}

void drawLengthAndRate(const Document& document, const Clock& clock, UiState& ui, CommandQueue& queue) {
  if (showsMotion(document)) {
    char text[64];
    std::snprintf(text, sizeof text, "of %.2f s, %.4g frames/s", clock.length(), clock.framesPerSecond);
    sameLineFor(ImGui::CalcTextSize(text).x);
    ImGui::AlignTextToFramePadding();
    disabledText("%s", text);
    return;
  }
  const Timeline none;
  const Timeline& timeline = document.timeline ? *document.timeline : none;
  timelineNumber("of", 5.0f, &Timeline::length, timeline.length,
                 {.minimum = kShortestTimeline,
                  .maximum = kLongestTimeline,
                  .format = "%.2f s",
                  .logarithmic = true,
                  .tooltip = "length of the timeline"},
                 ui, queue);
  timelineNumber("at", 6.5f, &Timeline::framesPerSecond, timeline.framesPerSecond,
                 {.minimum = 1.0,
                  .maximum = kFastestTimeline,
                  .format = "%.4g frames/s",
                  .logarithmic = true,
                  .tooltip = "frames per second of playback and of a bake"},
                 ui, queue);
}

void drawTransport(const Session& session, UiState& ui, CommandQueue& queue) {
  const float em = ImGui::GetFontSize();
  const Clock clock = clockOf(session.document());
  if (ImGui::Button(session.playing.isPlaying() ? "Pause" : "Play", ImVec2(4.0f * em, 0.0f)))
    queue.add(Command::PlayOrPause);
  tooltip(tipOf(Command::PlayOrPause, session));
  sameLineFor(4.5f * em);
  bool loop = session.playing.loop;
  if (ImGui::Checkbox("Loop", &loop)) queue.add(Command::LoopTimeline, loop);
  drawFrame(session, clock, ui, queue);
  drawLengthAndRate(session.document(), clock, ui, queue);
}

std::string nameOfClip(const Document& document, std::size_t clip) {
  const std::string& name = document.clips[clip]->bare().name;
  return name.empty() ? "clip " + std::to_string(clip + 1) : name;
}

/// A choice of the motion when there are several.
void drawClips(const Document& document, CommandQueue& queue) {
  if (document.clips.size() < 2) return;
  const float em = ImGui::GetFontSize();
  const auto shown =
      static_cast<std::size_t>(std::ranges::find(document.clips, document.motion) - document.clips.begin());
  sameLineFor(10.0f * em);
  ImGui::SetNextItemWidth(10.0f * em);
  const bool isOpen =
      ImGui::BeginCombo("##clip", shown < document.clips.size() ? nameOfClip(document, shown).c_str() : "");
  tooltip("the motion that is shown");
  if (!isOpen) return;
  for (std::size_t i = 0; i < document.clips.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::Selectable(nameOfClip(document, i).c_str(), i == shown) && i != shown) {
      queue.edit("choose motion", "", AfterEdit::Nothing, [i](Document& d) {
        if (i < d.clips.size()) showClip(d, i);
      });
    }
    ImGui::PopID();
  }
  ImGui::EndCombo();
}

/// Settings of keys over a motion.
void drawLayerSettings(const Session& session, UiState& ui, CommandQueue& queue) {
  if (showsMotion(session.document())) {
    sameLineFor(6.0f * ImGui::GetFontSize());
    bool isOn = session.services.autoKey.isOn;
    if (ImGui::Checkbox("Auto key", &isOn)) queue.add(Command::AutoKey, isOn);
    tooltip("keys every pose made at a frame, so that the change stays on top of the motion");
  }
  const MotionLayer& layer = session.document().motion->layer;
  if (layer.isEmpty()) return;
  double fade = layer.fade;
  std::string gesture;
  const NumberStyle style{
      .minimum = 0.0,
      .maximum = 10.0,
      .format = "%.2f s",
      .tooltip = "seconds over which a change fades in before its first key and out after its last"};
  if (flowNumber("fade", 5.0f, fade, style, ui, gesture))
    queue.edit("fade of the keys", gesture, AfterEdit::Nothing, [fade](Document& d) { setFade(d, fade); });
}

void drawKeyButtons(const Session& session, UiState& ui, CommandQueue& queue) {
  const Document& document = session.document();
  const bool isLayer = keysLayer(document);
  const bool hasKey = document.timeline && findKey(*document.timeline, document.time);
  const bool hasChange = isLayer && (document.motion->layer.hasKey(document.frame) || isUnkeyed(document));
  flowCommand(Command::KeyPose, session, queue);
  flowCommand(Command::KeyGoals, session, queue);
  flowCommand(Command::RemoveKey, session, queue, hasKey || hasChange);
  if (isLayer) drawLayerSettings(session, ui, queue);
  sameLineFor(8.5f * ImGui::GetFontSize());
  drawEase(session, queue);
}

void drawBakeButtons(const Session& session, CommandQueue& queue) {
  const auto& timeline = session.document().timeline;
  const bool bakes = timeline && !timeline->isEmpty() && !session.services.job.isRunning();
  if (flowButton("Bake", "solves every frame to convergence and makes a motion, which can be played and exported",
                 bakes))
    queue.add(Command::Bake, BakeAs::Motion);
  if (flowButton("To keys", "bakes to as few pose keys as keep every frame within a sixth of a degree", bakes))
    queue.add(Command::Bake, BakeAs::Keys);
  flowCommand(Command::Export, session, queue, session.document().motion != nullptr, "Export ...");
}

/// Switches for the curves in the strip and the ghosts in the picture.
void drawViewSwitches(UiState& ui, Settings& settings) {
  sameLineFor(5.5f * ImGui::GetFontSize());
  ImGui::Checkbox("Curves", &ui.timeline.showsCurves);
  tooltip("values of the selected joint's or goal's keys over time");
  sameLineFor(5.5f * ImGui::GetFontSize());
  ImGui::Checkbox("Ghosts", &settings.onionSkin);
  tooltip("the keys before and after the present frame, as ghosts in the picture; a click on one goes there");
}

}  // namespace

void drawTimeline(const Session& session, UiState& ui, Settings& settings, CommandQueue& queue) {
  drawTransport(session, ui, queue);
  drawClips(session.document(), queue);
  drawKeyButtons(session, ui, queue);
  drawBakeButtons(session, queue);
  drawViewSwitches(ui, settings);
  const bool showsCurves = ui.timeline.showsCurves;
  const Ruler ruler = drawTrack(session, !showsCurves, ui, queue);
  if (showsCurves) drawCurves(session, ruler, ui, queue);
}

}  // namespace limber::app
