// SPDX-License-Identifier: MIT
// What people choose once: their keys, their mouse, units, light or dark.
#pragma once

#include <cstdint>
#include <string_view>

namespace limber::app {

/// Whose habits the keys and the mouse follow.
enum class KeyPreset : std::uint8_t { Limber, Blender, Maya };

/// What scrolling over the picture does.
enum class Scrolling : std::uint8_t {
  Zooms,   ///< a mouse wheel
  Orbits,  ///< two fingers on a trackpad; with Shift they pan, with Ctrl they zoom
};

/// In what panels show lengths. Files keep metres.
enum class LengthUnit : std::uint8_t { Metres, Centimetres, Millimetres };

enum class ThemeName : std::uint8_t { Dark, Light };

/// Names as a settings file has them, in the order of the values.
inline constexpr std::string_view kPresetNames[] = {"limber", "blender", "maya"};
inline constexpr std::string_view kScrollingNames[] = {"wheel", "trackpad"};
inline constexpr std::string_view kUnitNames[] = {"m", "cm", "mm"};
inline constexpr std::string_view kThemeNames[] = {"dark", "light"};

/// Where the window stood, in screen coordinates. Only a place that was remembered has a corner.
struct WindowPlace {
  int width = 1400, height = 900;
  int x = 0, y = 0;
  bool isRemembered = false;
  bool isMaximised = false;

  bool operator==(const WindowPlace&) const = default;
};

inline constexpr double kMaxPartEms = 200.0;

/// Sizes of the window's parts, in heights of the text; 0: as they come.
struct PartSizes {
  double tree = 0.0, panels = 0.0;      ///< widths
  double timeline = 0.0, race = 0.0;    ///< heights

  bool operator==(const PartSizes&) const = default;
};

}  // namespace limber::app
