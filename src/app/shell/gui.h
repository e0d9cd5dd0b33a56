// SPDX-License-Identifier: MIT
// The context, font and theme of Dear ImGui. Panels are in app/panels/.
#pragma once

#include <set>
#include <vector>

#include "app/settings/theme.h"

namespace limber::app {

class Window;

/// Fills the font atlas of Dear ImGui: the interface's font, and, if the system has a font with them, these Chinese,
/// Japanese and Korean characters.
void loadFonts(double scale, const std::set<char16_t>& foreign);

class Gui {
 public:
  /// Needs a current OpenGL context. ImGui's callbacks call those that the window has installed before.
  Gui(Window& window, double scale, ThemeName theme);
  ~Gui();
  Gui(const Gui&) = delete;
  Gui& operator=(const Gui&) = delete;

  /// Sets fonts, spacing and colours for a display scale; no-op if nothing has changed. foreign: as in loadFonts().
  void setLook(double scale, ThemeName theme, const std::set<char16_t>& foreign);
  /// pressedCodes    GLFW codes of the keys pressed since the last frame, released again or not
  /// isEnterAnswer   Enter is the answer to a dialog, and does not activate the entry that has the keyboard
  void beginFrame(const std::vector<int>& pressedCodes, bool isEnterAnswer);
  void endFrame();  ///< draws

  /// True when the pointer is over a panel or holds a part of it.
  static bool wantsMouse();
  /// True while the user types into a field.
  static bool wantsKeys();
  /// True while a slider or field is in use.
  static bool isItemHeld();

 private:
  double scale_ = 0.0;
  ThemeName theme_ = ThemeName::Dark;
  std::set<char16_t> foreign_;  ///< in the font
};

}  // namespace limber::app
