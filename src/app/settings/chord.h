// SPDX-License-Identifier: MIT
// A key chord: a key with the modifiers that are held, and its displayed text.
#pragma once

#include <string>

#include "app/settings/input.h"
#include "app/settings/preferences.h"

namespace limber::app {

inline constexpr unsigned kShift = 1, kCtrl = 2, kAlt = 4;

/// A set of presets has one bit for each, in the order of KeyPreset.
inline constexpr unsigned kInLimber = 1, kInBlender = 2, kInMaya = 4, kInAll = 7;
constexpr unsigned maskOf(KeyPreset preset) { return 1u << static_cast<unsigned>(preset); }

constexpr unsigned heldOf(const Modifiers& held) {
  return (held.shift ? kShift : 0u) | (held.control ? kCtrl : 0u) | (held.alt ? kAlt : 0u);
}

struct Chord {
  Key key = Key::Other;
  char letter = 0;  ///< for Key::Letter, Key::Digit and Key::Numpad only
  unsigned held = 0;
  bool isWhatever = false;  ///< any modifiers match
  char32_t sign = 0;        ///< if set, the chord is this typed character, on any key

  bool operator==(const Chord&) const = default;
};

/// The modifiers in the order Ctrl, Alt, Shift, such as "Ctrl+Shift+"; empty if none is held.
std::string heldText(unsigned held);

/// "Ctrl+Z", "Shift+Left", "7", "[". Digits of the row and of the number pad read the same; > is written "Shift+.".
std::string chordText(const Chord& chord);

}  // namespace limber::app
