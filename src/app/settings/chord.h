// SPDX-License-Identifier: MIT
// A key with what is held down beside it, and how people write that.
#pragma once

#include <string>

#include "app/settings/input.h"
#include "app/settings/preferences.h"

namespace limber::app {

inline constexpr unsigned kShift = 1, kCtrl = 2, kAlt = 4;

/// Sets of presets, a bit each in the order of KeyPreset.
inline constexpr unsigned kInLimber = 1, kInBlender = 2, kInMaya = 4, kInAll = 7;
constexpr unsigned maskOf(KeyPreset preset) { return 1u << static_cast<unsigned>(preset); }

constexpr unsigned heldOf(const Modifiers& held) {
  return (held.shift ? kShift : 0u) | (held.control ? kCtrl : 0u) | (held.alt ? kAlt : 0u);
}

struct Chord {
  Key key = Key::Other;
  char letter = 0;         ///< of Key::Letter, Key::Digit and Key::Numpad
  unsigned held = 0;
  bool isWhatever = false; ///< whatever is held
  char32_t sign = 0;       ///< in place of a key, the character that it types

  bool operator==(const Chord&) const = default;
};

/// "Ctrl+Shift+", in this order; empty when nothing is held.
std::string heldText(unsigned held);

/// "Ctrl+Z", "Shift+Left", "7", "[". A digit is written alike on its row and on the number pad, > as "Shift+.".
std::string chordText(const Chord& chord);

}  // namespace limber::app
