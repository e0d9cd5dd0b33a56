// SPDX-License-Identifier: MIT
// The colours of the scene, as a screen shows them (sRGB). X red, Y green, Z blue; unmet red, met green, a joint on
// its limit amber.
#pragma once

#include "render/draw_list.h"

namespace limber::render {

inline constexpr Color kBody{0.83f, 0.76f, 0.68f};       ///< warm clay
inline constexpr Color kLeftLimb{0.81f, 0.765f, 0.705f};   ///< a shade cooler
inline constexpr Color kRightLimb{0.835f, 0.745f, 0.65f};  ///< a shade warmer
inline constexpr Color kJoint{0.33f, 0.35f, 0.39f};      ///< slate
inline constexpr Color kAccent{0.25f, 0.62f, 0.95f};     ///< selected or dragged
inline constexpr Color kUnmet{0.93f, 0.25f, 0.24f};
inline constexpr Color kMet{0.25f, 0.76f, 0.40f};
inline constexpr Color kOnLimit{1.00f, 0.68f, 0.12f};
inline constexpr Color kQuietGrey{0.80f, 0.82f, 0.85f};  ///< a ring without an axis of its own
inline constexpr Color kAxisX{0.91f, 0.29f, 0.30f};
inline constexpr Color kAxisY{0.38f, 0.74f, 0.28f};
inline constexpr Color kAxisZ{0.29f, 0.50f, 0.95f};

inline constexpr Color mix(const Color& a, const Color& b, float t) {
  return {a.red + t * (b.red - a.red), a.green + t * (b.green - a.green), a.blue + t * (b.blue - a.blue),
          a.alpha + t * (b.alpha - a.alpha)};
}
inline constexpr Color lighter(const Color& color) { return mix(color, {1.0f, 1.0f, 1.0f, color.alpha}, 0.45f); }
inline constexpr Color withAlpha(Color color, float alpha) {
  color.alpha = alpha;
  return color;
}

}  // namespace limber::render
