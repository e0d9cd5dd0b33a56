// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "app/jobs/pictures.h"
#include "limber/scene/base.h"

namespace limber::app {

/// The figure with its skin, or capsules if it has none; inside its skin; the links in a style of app/settings/looks.h.
inline constexpr const char* kRenderStyles[] = {"skin", "in-skin", "capsules", "boxes", "bones"};

/// "A:B" or "A:B:STEP", 0 <= A <= B, STEP >= 1; nothing for anything else.
std::optional<FrameRange> parseFrames(const std::string& text);

/// "AZIMUTH,ELEVATION": degrees, the latter from -90 to 90; nothing for anything else.
std::optional<EyeDirection> parseFrom(const std::string& text);

struct RenderArguments {
  std::string file;
  std::optional<BaseChoice> base;  ///< of a robot, overrides the file
  std::string output;              ///< "-" writes the picture to standard output
  int width = kPictureWidth, height = kPictureHeight;
  bool isTransparent = false;  ///< nothing behind the figure
  std::string style = "skin";  ///< one of kRenderStyles
  std::string side = "home";   ///< a render::ViewFrom by its name
  bool isOrthographic = false;
  bool isLight = false;  ///< ground and backdrop of the light theme
  std::string frames;    ///< of a sequence; empty for one picture
  std::string from;      ///< "AZIMUTH,ELEVATION" in degrees; empty: three quarters
};

/// `limber render FILE -o PNG`: draws the figure of a file without a display. A sequence keeps one view that shows all
/// of its frames; Ctrl+C ends it between two. Returns the exit code: 0, or 1 with a sentence on `err`.
int runRender(const RenderArguments& arguments, std::ostream& out, std::ostream& err);

}  // namespace limber::app
