// SPDX-License-Identifier: MIT
// Input events as plain values, independent of GLFW. The window appends them in the order in which they occur.
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
  Letter,
  Digit,
  Numpad,
  Space,
  Tab,
  Enter,
  Escape,
  Delete,
  Backspace,
  Home,
  Left,
  Right,
  Up,
  Down,
  F1,
  F10,
  Alt,  ///< pressed and released with no other key between
  Other
};

struct KeyPress {
  Key key = Key::Other;
  /// For Key::Letter 'a' to 'z', as printed on the key in the user's layout; for Key::Digit (the row above the letters)
  /// '0' to '9'; for Key::Numpad '0' to '9' and '.'.
  char letter = 0;
  Modifiers modifiers;
  bool isRepeat = false;
};

/// A typed character, regardless of the keys that produced it.
struct Typed {
  char32_t character = 0;
  bool isNumpad = false;
};

enum class Button { Left, Middle, Right };

/// Positions are in pixels of the picture, from its top left corner.
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

/// A turn of the wheel in steps. A trackpad gives fractions of steps, and horizontal ones.
struct WheelTurn {
  double steps = 0.0;  ///< positive: away from the user
  double x = 0.0, y = 0.0;
  Modifiers modifiers;
  double stepsX = 0.0;  ///< positive: to the left
};

struct FilesDropped {
  std::vector<std::string> paths;
};

/// The window has lost the keyboard; all keys and buttons count as released.
struct FocusLost {};

using InputEvent = std::variant<KeyPress, Typed, ButtonChange, CursorMove, WheelTurn, FilesDropped, FocusLost>;

}  // namespace limber::app
