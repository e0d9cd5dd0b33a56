// SPDX-License-Identifier: MIT
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/editing/figure_editing.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "limber/io/bvh/bvh.h"

namespace limber::app {

namespace {

std::string nameOfClip(const Document& document, std::size_t clip) {
  const std::string& name = document.clips[clip]->name;
  return name.empty() ? "clip " + std::to_string(clip + 1) : name;
}

/// A choice of the clip when there are several.
void drawClips(const Document& document, CommandQueue& queue) {
  if (document.clips.size() < 2) return;
  const auto shown =
      static_cast<std::size_t>(std::ranges::find(document.clips, document.motion) - document.clips.begin());
  ImGui::SetNextItemWidth(-1.0f);
  if (!ImGui::BeginCombo("##clip", shown < document.clips.size() ? nameOfClip(document, shown).c_str() : "")) return;
  for (std::size_t i = 0; i < document.clips.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::Selectable(nameOfClip(document, i).c_str(), i == shown) && i != shown) {
      queue.add(Command::PauseMotion);
      queue.edit("choose clip", "", AfterEdit::Nothing, [i](Document& d) {
        if (i < d.clips.size()) showClip(d, i);
      });
    }
    ImGui::PopID();
  }
  ImGui::EndCombo();
}

constexpr OffsetRule kOffsetRules[] = {OffsetRule::ByMotion, OffsetRule::Replace, OffsetRule::Add};

/// A row for the meaning of a BVH file's position channels, on which programs differ.
void drawOffsetRule(const Document& document, UiState& ui, CommandQueue& queue) {
  const std::vector<Channel>& channels = document.motion->bare().channels;
  const auto isPosition = [](const Channel& channel) { return channel.type <= ChannelType::ZPosition; };
  if (!io::hasOffsetRule(document) || std::ranges::none_of(channels, isPosition)) return;
  constexpr const char* kTip =
      "what the file's position channels do with a joint's OFFSET: they replace it in files of Blender and Rokoko, and "
      "are added to it in files of MakeHuman; by default, chosen for each joint from its motion";
  rowLabel("Positions", kTip);
  const int present =
      static_cast<int>(std::ranges::find(kOffsetRules, document.source->offsetRule) - std::begin(kOffsetRules));
  const int chosen =
      choose("##positions", {"chosen from the motion", "replace OFFSET", "are added to OFFSET"}, present, "", ui);
  if (chosen >= 0 && chosen != present) setOffsetRule(document, kOffsetRules[chosen], ui, queue);
}

/// Draws a diamond for each key of the layer below the frame slider; a click goes to the nearest key.
void drawKeyStrip(const Document& document, CommandQueue& queue) {
  const float em = ImGui::GetFontSize(), radius = 0.32f * em;
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const ImVec2 size(ImGui::GetContentRegionAvail().x, 0.95f * em);
  const auto x = [&](int frame) {
    const float along = static_cast<float>(frame) / static_cast<float>(document.motion->frameCount - 1);
    return corner.x + radius + (size.x - 2.0f * radius) * along;
  };
  const bool isClicked = ImGui::InvisibleButton("##keys", size);
  tooltip("keys over the motion: click to go to a key; Shift+Left and Shift+Right step from key to key");
  const std::vector<int> frames = document.motion->layer.frames();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(corner, ImVec2(corner.x + size.x, corner.y + size.y), ImGui::GetColorU32(ImGuiCol_FrameBg), 3.0f);
  const float y = corner.y + 0.5f * size.y;
  list.AddLine(ImVec2(x(document.frame), corner.y), ImVec2(x(document.frame), corner.y + size.y),
               ImGui::GetColorU32(colors::kAmber), 1.5f);
  for (const int frame : frames)
    list.AddQuadFilled(ImVec2(x(frame) - radius, y), ImVec2(x(frame), y - radius), ImVec2(x(frame) + radius, y),
                       ImVec2(x(frame), y + radius),
                       ImGui::GetColorU32(frame == document.frame ? colors::kText : colors::kAccent));
  if (!isClicked || frames.empty()) return;
  const float at = ImGui::GetIO().MousePos.x;
  const int nearest = *std::ranges::min_element(frames, {}, [&](int frame) { return std::abs(x(frame) - at); });
  queue.edit("step", "", AfterEdit::Nothing, [nearest](Document& d) { showFrame(d, nearest); });
}

void drawLayer(const Session& session, UiState& ui, CommandQueue& queue) {
  const Document& document = session.document();
  const float em = ImGui::GetFontSize();
  drawKeyStrip(document, queue);
  bool isOn = session.services.autoKey.isOn;
  if (ImGui::Checkbox("Auto key", &isOn)) queue.add(Command::AutoKey, isOn);
  tooltip("keys every pose made at a frame, so that the change stays on top of the motion");
  ImGui::SameLine();
  commandButton(Command::KeyPose, session, queue, "Key",
                "keys the pose at this frame, or the selected joints as they are, so that a change ends there");
  ImGui::SameLine();
  commandButton(Command::RemoveKey, session, queue, "Back to the motion",
                "removes the changes at this frame, only of the selected joints if there is a selection",
                document.motion->layer.hasKey(document.frame) || isUnkeyed(document));
  if (document.motion->layer.isEmpty()) return;
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted("Fade");
  ImGui::SameLine(4.0f * em);
  ImGui::SetNextItemWidth(-1.0f);
  double fade = document.motion->layer.fade;
  const std::string gesture = gestureOf("##fade");
  if (editNumber("##fade", fade,
                 {.minimum = 0.0,
                  .maximum = 10.0,
                  .format = "%.2f s",
                  .tooltip = "seconds over which a change fades in before its first key and out after its last"},
                 ui))
    queue.edit("fade of the keys", gesture, AfterEdit::Nothing, [fade](Document& d) { setFade(d, fade); });
}

}  // namespace

void drawMotion(const Session& session, UiState& ui, CommandQueue& queue) {
  const Document& document = session.document();
  const Motion& motion = *document.motion;
  const MotionPlayback& playback = session.playing.motion;
  const float em = ImGui::GetFontSize();
  drawClips(document, queue);
  if (ImGui::Button(playback.isPlaying ? "Pause" : "Play", ImVec2(4.5f * em, 0.0f))) {
    queue.add(Command::PlayMotion);
    queue.add(Command::PauseTimeline);
  }
  ImGui::SameLine();
  bool loops = playback.loop;
  if (ImGui::Checkbox("Loop", &loops)) queue.add(Command::LoopMotion, loops);
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  disabledText("%.3g frames/s", motion.frameTime > 0.0 ? 1.0 / motion.frameTime : 0.0);
  tooltip("one frame lasts " + std::to_string(1e3 * motion.frameTime) + " ms");

  ImGui::SetNextItemWidth(-1.0f);
  double frame = document.frame;
  const std::string last = " / " + std::to_string(motion.frameCount - 1);
  const std::string format = "frame %.0f" + last;
  const std::string gesture = gestureOf("##frame");
  if (editNumber("##frame", frame,
                 {.minimum = 0.0,
                  .maximum = static_cast<double>(motion.frameCount - 1),
                  .format = format.c_str(),
                  .tooltip = "drag to scrub, double-click to type"},
                 ui)) {
    queue.add(Command::PauseMotion);
    queue.add(Command::PauseTimeline);
    queue.edit("scrub", gesture, AfterEdit::Nothing,
               [wanted = static_cast<int>(std::lround(frame))](Document& d) { showFrame(d, wanted); });
  }
  if (showsMotion(document)) drawLayer(session, ui, queue);
  drawOffsetRule(document, ui, queue);
  disabledText("%.2f s of %.2f s", document.frame * motion.frameTime, (motion.frameCount - 1) * motion.frameTime);
}

}  // namespace limber::app
