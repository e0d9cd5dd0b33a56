// SPDX-License-Identifier: MIT
// Pictures of a document in files, one, or one for each frame of its motion: what `limber render` and the window share.
// They are drawn without a window, on whatever thread asks.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "limber/scene/document.h"
#include "render/picture.h"

namespace limber::app {

inline constexpr int kPictureWidth = 1400;
inline constexpr int kPictureHeight = 900;

/// Frames of a motion, counted from 0, the last one included.
struct FrameRange {
  int first = 0, last = 0, step = 1;

  int count() const { return (last - first) / step + 1; }
};

/// Where the eye stands, seen from the figure: 0, 0 before it (+z), an azimuth of a quarter turn on its left (+x).
struct EyeDirection {
  double azimuth = 0.0, elevation = 0.0;  ///< radians
};

struct PictureStyle {
  int width = kPictureWidth, height = kPictureHeight;  ///< pixels
  bool isTransparent = false;                          ///< nothing behind the figure
  render::SkinView skinView = render::SkinView::Skin;
  render::LinkStyle linkStyle = render::LinkStyle::Capsules;
  render::DrawShell shell = {};                        ///< of a reachable workspace
  std::optional<render::View> view;                    ///< none frames the figure, in all frames of a sequence,
  std::optional<EyeDirection> from = {};               ///< from here; none:
  render::ViewFrom side = render::ViewFrom::ThreeQuarters;  ///< from here
  bool isOrthographic = false;                         ///< of what is framed
  render::Surroundings surroundings = render::kDarkSurroundings;  ///< ground and backdrop
};

/// The file of a frame. `output` is a name with one %d or %0Nd in it for the frame's number, or a folder, which gets
/// frame_0000.png and so on; nothing for other names.
std::optional<std::string> framePath(const std::string& output, int frame);

/// The document as it stands, as the bytes of a PNG file; nothing, and what went wrong in `fault`.
std::optional<std::string> encodePicture(const Document& document, const PictureStyle& style, std::string& fault);

/// The same into a file, atomically. Empty, or what went wrong.
std::string drawPicture(const Document& document, const std::filesystem::path& output, const PictureStyle& style);

struct SequenceDrawn {
  int count = 0;             ///< pictures written
  bool isCancelled = false;  ///< the progress said no
  std::string fault;         ///< empty, or what ended it
};

/// Told the part that is done, in [0, 1], and what is being done; false ends it after the present picture.
using PictureProgress = std::function<bool(double part, std::string_view what)>;

/// Draws the take (scene/take.h), frame by frame, with one view. Each file is written atomically, so that there are
/// whole pictures only, however it ends. `output` must be one that framePath takes, the frames must be in the motion.
SequenceDrawn drawSequence(const Document& document, const FrameRange& frames, const std::string& output,
                           const PictureStyle& style, const PictureProgress& progress);

}  // namespace limber::app
