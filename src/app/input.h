// SPDX-License-Identifier: MIT
// What the user did since the last frame, in order, as plain values. The window fills it; nothing here knows GLFW.
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace limber::app {

struct Modifiers {
  bool shift = false;
  bool control = false;
  bool alt = false;
};

enum class Key { Letter, Space, Tab, Enter, Escape, Delete, Backspace, Home, Left, Right, F1, Other };

struct KeyPress {
  Key key = Key::Other;
  char letter = 0;  ///< 'a' to 'z' for Key::Letter: as printed on the key in the user's layout
  Modifiers modifiers;
  bool isRepeat = false;
};

/// A typed character, whatever keys it took.
struct Typed {
  char32_t character = 0;
};

enum class Button { Left, Middle, Right };

/// Positions are pixels of the picture, from its top left corner.
struct ButtonChange {
  Button button = Button::Left;
  bool isPressed = false;
  Modifiers modifiers;
  double x = 0.0, y = 0.0;
};

struct CursorMove {
  double x = 0.0, y = 0.0;
  Modifiers modifiers;
};

struct WheelTurn {
  double steps = 0.0;     ///< positive: away from the hand
  double x = 0.0, y = 0.0;
  Modifiers modifiers;
  double stepsX = 0.0;    ///< of a wheel or trackpad that turns sideways, too; positive: to the right
};

struct FilesDropped {
  std::vector<std::string> paths;
};

/// The window lost the keyboard: every key and button counts as up.
struct FocusLost {};

using InputEvent = std::variant<KeyPress, Typed, ButtonChange, CursorMove, WheelTurn, FilesDropped, FocusLost>;

}  // namespace limber::app
