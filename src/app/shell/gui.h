// SPDX-License-Identifier: MIT
// Dear ImGui: its context, font and look. Panels are in app/panels/.
#pragma once

#include <vector>

#include "app/settings/theme.h"

namespace limber::app {

class Window;

class Gui {
 public:
  /// A current OpenGL context is needed; the window's own callbacks are called by ImGui's.
  Gui(Window& window, double scale, ThemeName theme);
  ~Gui();
  Gui(const Gui&) = delete;
  Gui& operator=(const Gui&) = delete;

  /// Font, spacing and colours for a scale of the display; nothing when it is the present one.
  void setLook(double scale, ThemeName theme);
  /// `pressedCodes` are GLFW's of the keys pressed since the last frame, released again or not.
  void beginFrame(const std::vector<int>& pressedCodes);
  void endFrame();  ///< draws

  /// The pointer is over a panel or holds one of its parts.
  static bool wantsMouse();
  /// A field is being typed into.
  static bool wantsKeys();
  /// A slider or field is being used.
  static bool isItemHeld();

 private:
  double scale_ = 0.0;
  ThemeName theme_ = ThemeName::Dark;
};

}  // namespace limber::app
