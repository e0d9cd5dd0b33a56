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

enum class Key {
  Letter, Digit, Numpad, Space, Tab, Enter, Escape, Delete, Backspace, Home, Left, Right, Up, Down, F1, F10,
  Alt,  ///< pressed and let go again, with nothing between
  Other
};

struct KeyPress {
  Key key = Key::Other;
  /// 'a' to 'z' for Key::Letter: as printed on the key in the user's layout. '0' to '9' for Key::Digit, the row above
  /// the letters, and for Key::Numpad, which has '.' besides.
  char letter = 0;
  Modifiers modifiers;
  bool isRepeat = false;
};

/// A typed character, whatever keys it took.
struct Typed {
  char32_t character = 0;
  bool isNumpad = false;  ///< typed on the number pad
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

/// Steps of a wheel; a trackpad gives parts of steps, and steps to the side.
struct WheelTurn {
  double steps = 0.0;  ///< positive: away from the user
  double x = 0.0, y = 0.0;
  Modifiers modifiers;
  double stepsX = 0.0;  ///< positive: to the left
};

struct FilesDropped {
  std::vector<std::string> paths;
};

/// The window lost the keyboard: every key and button counts as up.
struct FocusLost {};

using InputEvent = std::variant<KeyPress, Typed, ButtonChange, CursorMove, WheelTurn, FilesDropped, FocusLost>;

}  // namespace limber::app
