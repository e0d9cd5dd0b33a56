// SPDX-License-Identifier: MIT
#include "app/settings/chord.h"

namespace limber::app {

namespace {

std::string keyName(const Chord& chord) {
  switch (chord.key) {
    case Key::Letter: return std::string(1, static_cast<char>(chord.letter - 'a' + 'A'));
    case Key::Digit: return std::string(1, chord.letter);
    case Key::Numpad: return chord.letter == '.' ? "Numpad ." : std::string(1, chord.letter);
    case Key::Space: return "Space";
    case Key::Tab: return "Tab";
    case Key::Enter: return "Enter";
    case Key::Escape: return "Esc";
    case Key::Delete: return "Delete";
    case Key::Backspace: return "Backspace";
    case Key::Home: return "Home";
    case Key::Left: return "Left";
    case Key::Right: return "Right";
    case Key::Up: return "Up";
    case Key::Down: return "Down";
    case Key::F1: return "F1";
    case Key::F10: return "F10";
    case Key::Alt: return "Alt";
    case Key::Other: return "?";
  }
  return "?";
}

std::string signName(char32_t sign) {
  switch (sign) {
    case U'>':
    case U':': return "Shift+.";
    case U'<':
    case U';': return "Shift+,";
    default: return std::string(1, static_cast<char>(sign));
  }
}

}  // namespace

std::string heldText(unsigned held) {
  return std::string(held & kCtrl ? "Ctrl+" : "") + (held & kAlt ? "Alt+" : "") + (held & kShift ? "Shift+" : "");
}

std::string chordText(const Chord& chord) {
  return chord.sign ? signName(chord.sign) : heldText(chord.held) + keyName(chord);
}

}  // namespace limber::app
