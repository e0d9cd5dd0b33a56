// SPDX-License-Identifier: MIT
// Preferences: keys, mouse, units, theme, and the window's place and parts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace limber::app {

/// The program whose keys and mouse gestures are used.
enum class KeyPreset : std::uint8_t { Limber, Blender, Maya };

/// The effect of scrolling over the picture.
enum class Scrolling : std::uint8_t {
  Zooms,   ///< a mouse wheel
  Orbits,  ///< two fingers on a trackpad; with Shift they pan, with Ctrl they zoom
};

/// The unit of lengths in panels. Files are in metres.
enum class LengthUnit : std::uint8_t { Metres, Centimetres, Millimetres };

enum class ThemeName : std::uint8_t { Dark, Light };

/// The axes in which the world is shown: those of the figure's file, or always the same.
enum class WorldAxes : std::uint8_t { OfFile, YUp, ZUp };

/// How the orientation of a goal is shown.
enum class RotationView : std::uint8_t { Axes, Angles, Quaternion };

/// Names in the settings file, in the order of the enumerators.
inline constexpr std::string_view kPresetNames[] = {"limber", "blender", "maya"};
inline constexpr std::string_view kScrollingNames[] = {"wheel", "trackpad"};
inline constexpr std::string_view kUnitNames[] = {"m", "cm", "mm"};
inline constexpr std::string_view kThemeNames[] = {"dark", "light"};
inline constexpr std::string_view kWorldAxesNames[] = {"file", "y_up", "z_up"};
inline constexpr std::string_view kRotationNames[] = {"axes", "angles", "quaternion"};

/// Size and top left corner of the window, in screen coordinates. The corner counts only if it is remembered.
struct WindowPlace {
  int width = 1400, height = 900;
  int x = 0, y = 0;
  bool isRemembered = false;
  bool isMaximised = false;

  bool operator==(const WindowPlace&) const = default;
};

inline constexpr double kMaxPartEms = 200.0;

/// Sizes of the window's parts, in heights of the text; 0 for the default.
struct PartSizes {
  double tree = 0.0, panels = 0.0;    ///< widths
  double timeline = 0.0, race = 0.0;  ///< heights

  bool operator==(const PartSizes&) const = default;
};

inline constexpr int kLivePort = 39539;  ///< of programs that receive VMC

/// Live avatars: the sources of motion, and the receiver of the pose.
struct LiveSettings {
  int receivePort = kLivePort, sendPort = kLivePort;
  bool fromAnywhere = false;  ///< false: from programs of this machine alone
  bool areExact = false;      ///< trackers are held exactly, like pins
  std::string sendAddress = "127.0.0.1";

  bool operator==(const LiveSettings&) const = default;
};

}  // namespace limber::app
