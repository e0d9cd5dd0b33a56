// SPDX-License-Identifier: MIT
// The dialog that offers work for recovery which Limber had not saved before it ended.
#include <imgui.h>

#include <ctime>
#include <string>

#include "app/panels/dialog.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "limber/io/base/platform.h"
#include "limber/io/base/text.h"

namespace limber::app {

void drawLostWork(const Session& session, UiState& ui, CommandQueue& queue) {
  Dialog dialog("Work that was not saved", ui.askLost, ui);
  if (!dialog) return;
  const std::vector<LostWork>& lost = session.services.autosave.lost();
  dialog.text("Limber ended before this was saved:");
  for (int i = 0; i < std::ssize(lost); ++i) {
    ImGui::PushID(i);
    const LostWork& work = lost[i];
    ImGui::Separator();
    dialog.text(work.file.empty() ? work.figure + " (unsaved)" : io::asUtf8(work.file.filename().string()));
    if (!work.file.empty()) tooltip(work.file.string());
    dialog.note(platform::localTimeText(static_cast<std::time_t>(work.keptAt), "%d %B %Y, %H:%M"));
    const int pressed = dialog.buttons({"Recover", "Discard"});
    if (pressed == 0) {
      queue.add(Command::RecoverLost, i);
      dialog.close();
    }
    if (pressed == 1) queue.add(Command::DiscardLost, i);
    ImGui::PopID();
  }
  ImGui::Separator();
  dialog.note(
      "Recover opens it, which Ctrl+Z undoes; its file does not change until you save. Later asks again at the "
      "next start.");
  if (dialog.answers({"Later"}) < 0 && lost.empty()) dialog.close();
}

}  // namespace limber::app
