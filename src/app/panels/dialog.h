// SPDX-License-Identifier: MIT
// Modal dialogs, all of which can be used by the keyboard alone.
#pragma once

#include <imgui.h>

#include <initializer_list>
#include <string>

#include "app/editing/ui_state.h"

namespace limber::app {

/// A modal dialog in the middle of the window, while it is in scope:
///
///     if (Dialog dialog("New figure", ui.newChain.isWanted, ui); dialog) {
///       editNumber("##links", ...);
///       dialog.stop();
///       if (dialog.answers({"Create", "Cancel"}) == 0) { ...; dialog.close(); }
///     }
///
/// Tab and Shift+Tab go through its stops, arrows to the nearest item, Space presses. Enter presses the button that has
/// the keyboard, else the first answer; Esc closes the dialog. It never extends beyond the window: text wraps, buttons
/// take more rows, and contents that are too tall scroll.
class Dialog {
 public:
  /// Opens the dialog first, and clears `open`, if `open` is set. size: in pixels; zero if the contents determine it.
  Dialog(const char* title, bool& open, UiState& ui, const ImVec2& size = ImVec2(0.0f, 0.0f));
  ~Dialog();
  Dialog(const Dialog&) = delete;
  Dialog& operator=(const Dialog&) = delete;

  /// False while the dialog is closed; then nothing of it may be drawn.
  explicit operator bool() const { return isOpen_; }
  void close();

  /// Makes the last item a stop of Tab. `isFirst`: it gets the keyboard when the dialog opens; without such a stop the
  /// first answer does.
  void stop(bool isFirst = false);
  /// The next item that becomes a stop, by its number, gets the keyboard.
  void want(int index);
  int stopCount() const { return stops_; }
  /// Tab has had another effect in this frame.
  void takeTab() { isTabTaken_ = true; }

  /// A width of so many heights of the text, at most the room in the window; pixels.
  float width(float ems) const;
  void text(const std::string& text) const;
  void note(const std::string& text) const;
  void error(const std::string& text) const;

  /// Buttons from left to right, each a stop and at least so wide; returns the index of the pressed one, -1 for none.
  int buttons(std::initializer_list<const char*> labels, float leastEms = kButtonEms);
  /// The buttons that end the dialog: the first is the default one, the last closes the dialog without doing anything.
  int answers(std::initializer_list<const char*> labels);

 private:
  static constexpr float kButtonEms = 7.5f;

  void draw(const std::string& text, const ImVec4& color) const;
  int drawButtons(std::initializer_list<const char*> labels, float leastEms, bool areAnswers);

  UiState& ui_;
  bool isOpen_ = false;
  bool isOnTop_ = false;  ///< no list of a combo is open over it
  bool isTabTaken_ = false;
  bool isEntered_ = false;  ///< Enter is pressed, and no button has taken it
  int stops_ = 0;
};

}  // namespace limber::app
