// SPDX-License-Identifier: MIT
// The context, font and theme of Dear ImGui. Panels are in app/panels/.
#pragma once

#include <vector>

#include "app/settings/theme.h"

namespace limber::app {

class Window;

class Gui {
 public:
  /// Needs a current OpenGL context. ImGui's callbacks call those that the window has installed before.
  Gui(Window& window, double scale, ThemeName theme);
  ~Gui();
  Gui(const Gui&) = delete;
  Gui& operator=(const Gui&) = delete;

  /// Sets font, spacing and colours for a display scale; no-op if neither has changed.
  void setLook(double scale, ThemeName theme);
  /// `pressedCodes`: GLFW codes of the keys pressed since the last frame, released again or not.
  void beginFrame(const std::vector<int>& pressedCodes);
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
};

}  // namespace limber::app
