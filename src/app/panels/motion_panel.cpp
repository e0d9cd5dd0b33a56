// SPDX-License-Identifier: MIT
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"

namespace limber::app {

namespace {

std::string nameOfClip(const Document& document, std::size_t clip) {
  const std::string& name = document.clips[clip]->name;
  return name.empty() ? "clip " + std::to_string(clip + 1) : name;
}

/// Which of several clips is shown.
void drawClips(const Document& document, Playback& playback, Requests& requests) {
  if (document.clips.size() < 2) return;
  const auto shown =
      static_cast<std::size_t>(std::ranges::find(document.clips, document.motion) - document.clips.begin());
  ImGui::SetNextItemWidth(-1.0f);
  if (!ImGui::BeginCombo("##clip", shown < document.clips.size() ? nameOfClip(document, shown).c_str() : "")) return;
  for (std::size_t i = 0; i < document.clips.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::Selectable(nameOfClip(document, i).c_str(), i == shown) && i != shown) {
      playback.isPlaying = false;
      requests.edit("choose clip", "", AfterEdit::Nothing, [i](Document& d) {
        if (i < d.clips.size()) showClip(d, i);
      });
    }
    ImGui::PopID();
  }
  ImGui::EndCombo();
}

}  // namespace

void drawMotion(const Session& session, UiState& ui, Requests& requests) {
  const Document& document = session.document();
  const Motion& motion = *document.motion;
  Playback& playback = ui.playback;
  const float em = ImGui::GetFontSize();
  drawClips(document, playback, requests);
  if (ImGui::Button(playback.isPlaying ? "Pause" : "Play", ImVec2(4.5f * em, 0.0f))) {
    playback.isPlaying = !playback.isPlaying;
    requests.pauseTimeline = true;
    playback.started = session.now;
    playback.from = !playback.loop && document.frame + 1 >= motion.frameCount ? 0 : document.frame;
  }
  ImGui::SameLine();
  ImGui::Checkbox("Loop", &playback.loop);
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  disabledText("%.3g frames/s", motion.frameTime > 0.0 ? 1.0 / motion.frameTime : 0.0);
  tooltip(("one frame lasts " + std::to_string(1e3 * motion.frameTime) + " ms").c_str());

  ImGui::SetNextItemWidth(-1.0f);
  double frame = document.frame;
  const std::string last = " / " + std::to_string(motion.frameCount - 1);
  const std::string format = "frame %.0f" + last;
  const std::string gesture = gestureOf("##frame");
  if (editNumber("##frame", frame,
                 {.minimum = 0.0, .maximum = static_cast<double>(motion.frameCount - 1), .format = format.c_str(),
                  .tooltip = "drag to scrub, double-click to type"}, ui)) {
    playback.isPlaying = false;
    requests.pauseTimeline = true;
    requests.edit("scrub", gesture, AfterEdit::Nothing,
                  [wanted = static_cast<int>(std::lround(frame))](Document& d) { showFrame(d, wanted); });
  }
  disabledText("%.2f s of %.2f s", document.frame * motion.frameTime, (motion.frameCount - 1) * motion.frameTime);
}

}  // namespace limber::app
