// SPDX-License-Identifier: MIT
// The colours of the scene, sRGB. X red, Y green, Z blue; unmet red, met green; a joint at its limit amber.
#pragma once

namespace limber::render {

/// An sRGB colour with components in [0, 1].
struct Color {
  float red = 1.0f, green = 1.0f, blue = 1.0f, alpha = 1.0f;

  bool operator==(const Color&) const = default;
};

inline constexpr Color kBody{0.83f, 0.76f, 0.68f};         ///< warm clay
inline constexpr Color kLeftLimb{0.81f, 0.765f, 0.705f};   ///< a shade cooler
inline constexpr Color kRightLimb{0.835f, 0.745f, 0.65f};  ///< a shade warmer
inline constexpr Color kJoint{0.33f, 0.35f, 0.39f};        ///< slate
inline constexpr Color kAccent{0.25f, 0.62f, 0.95f};       ///< selected or dragged
inline constexpr Color kHoveredOnDark{0.95f, 0.96f, 0.98f}, kHoveredOnLight{0.10f, 0.12f, 0.15f};  ///< outlines
inline constexpr Color kUnmet{0.93f, 0.25f, 0.24f};
inline constexpr Color kMet{0.25f, 0.76f, 0.40f};
inline constexpr Color kOnLimit{1.00f, 0.68f, 0.12f};
inline constexpr Color kQuietGrey{0.80f, 0.82f, 0.85f};  ///< a ring without an axis of its own
inline constexpr Color kAxisX{0.91f, 0.29f, 0.30f};
inline constexpr Color kAxisY{0.38f, 0.74f, 0.28f};
inline constexpr Color kAxisZ{0.29f, 0.50f, 0.95f};
inline constexpr Color kAxisColors[] = {kAxisX, kAxisY, kAxisZ};

/// Colours of ground and backdrop.
struct Surroundings {
  Color backdropTop, backdropBottom;
  Color groundNear, groundFar;  ///< below the view's centre, and where the ground fades into the backdrop
  float gridLight = 0.0f;       ///< added to the ground by the strongest lines; negative darkens
  float shadow = 0.0f;          ///< part of the ground's light that the figure's shadow removes, [0, 1]

  bool operator==(const Surroundings&) const = default;
};

inline constexpr Surroundings kDarkSurroundings{.backdropTop = {0.175f, 0.192f, 0.222f},
                                                .backdropBottom = {0.335f, 0.360f, 0.395f},
                                                .groundNear = {0.500f, 0.514f, 0.530f},
                                                .groundFar = {0.315f, 0.337f, 0.370f},
                                                .gridLight = 0.085f,
                                                .shadow = 0.62f};

inline constexpr Surroundings kLightSurroundings{.backdropTop = {0.740f, 0.775f, 0.820f},
                                                 .backdropBottom = {0.830f, 0.840f, 0.850f},
                                                 .groundNear = {0.905f, 0.910f, 0.915f},
                                                 .groundFar = {0.845f, 0.855f, 0.865f},
                                                 .gridLight = -0.110f,
                                                 .shadow = 0.55f};

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
