// SPDX-License-Identifier: MIT
// The dialog that offers work for recovery which Limber had not saved before it ended.
#include <imgui.h>

#include <ctime>
#include <string>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "limber/io/base/platform.h"

namespace limber::app {

void drawLostWork(const Session& session, UiState& ui, CommandQueue& queue) {
  if (!beginDialog("Work that was not saved", ui.askLost, ui)) return;
  const std::vector<LostWork>& lost = session.services.autosave.lost();
  const float em = ImGui::GetFontSize();
  ImGui::TextUnformatted("Limber ended before this was saved:");
  ImGui::Dummy(ImVec2(0.0f, 0.3f * em));
  for (int i = 0; i < std::ssize(lost); ++i) {
    ImGui::PushID(i);
    const LostWork& work = lost[i];
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(
        (work.file.empty() ? work.figure + ", without a name" : work.file.filename().string()).c_str());
    if (!work.file.empty()) tooltip(work.file.string());
    ImGui::SameLine(15.0f * em);
    disabledText("%s", platform::localTimeText(static_cast<std::time_t>(work.keptAt), "%d %B %Y, %H:%M").c_str());
    ImGui::SameLine(27.0f * em);
    if (dialogButton("Recover")) {
      queue.add(Command::RecoverLost, i);
      ImGui::CloseCurrentPopup();
    }
    tooltip("opens it, which Ctrl+Z undoes; its file does not change until you save");
    ImGui::SameLine();
    if (dialogButton("Discard")) queue.add(Command::DiscardLost, i);
    ImGui::PopID();
  }
  ImGui::Dummy(ImVec2(0.0f, 0.3f * em));
  if (lost.empty() || dialogButton("Later")) ImGui::CloseCurrentPopup();
  if (!lost.empty()) tooltip("keeps the rest, which is offered again at the next start");
  ImGui::EndPopup();
}

}  // namespace limber::app
