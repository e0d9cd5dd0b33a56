// SPDX-License-Identifier: MIT
#include "app/editing/editing.h"

#include <utility>

namespace limber::app {

void Editing::stop() {
  playing.stop();
  solving.cancel();
}

void Editing::show(Notice notice) { ui.message = {std::move(notice.text), notice.isError, now + notice.seconds}; }

void Editing::showError(std::string text) {
  ui.error = std::move(text);
  ui.showError = true;
}

void Editing::noteFolder(const std::filesystem::path& file) {
  settings.lastFolder = std::filesystem::absolute(file).parent_path().string();
}

}  // namespace limber::app
