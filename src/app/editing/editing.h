// SPDX-License-Identifier: MIT
// The state that all features share which change the document: the document with its history, the running solve and
// playback, the user's settings, and the state of panels and messages. It does not depend on camera, mouse, files or
// services.
#pragma once

#include "app/editing/editor.h"
#include "app/editing/notice.h"
#include "app/editing/playing.h"
#include "app/editing/selecting.h"
#include "app/editing/solving.h"
#include "app/editing/ui_state.h"
#include "app/settings/settings.h"

namespace limber::app {

struct Editing {
  Editor editor;
  Solving solving;
  Playing playing;  ///< playback of the timeline or of the motion
  Settings settings;
  UiState ui;

  const Document& document() const { return editor.document(); }

  /// Ends playback and the running solve, because something else is about to set the pose.
  void stop() {
    playing.stop();
    solving.cancel();
  }

  void say(std::string text, double seconds = 4.0) { show({std::move(text), false, seconds}); }
  void fail(std::string text) { show(Notice::error(std::move(text))); }  ///< a message in red
  void show(Notice notice) { ui.message = {std::move(notice.text), notice.isError, ui.now + notice.seconds}; }
  /// Shows an error in a dialog.
  void showError(std::string text) {
    ui.error = std::move(text);
    ui.showError = true;
  }
  /// Makes the next file dialog start in the folder of this file.
  void noteFolder(const std::filesystem::path& file) {
    settings.lastFolder = std::filesystem::absolute(file).parent_path().string();
  }
};

}  // namespace limber::app
