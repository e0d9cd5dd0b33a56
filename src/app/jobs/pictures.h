// SPDX-License-Identifier: MIT
// Pictures of a document, or one of each frame of its motion, for `limber render` and the window. They are drawn
// without a window, on any thread.
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

/// The direction from the figure to the eye: 0, 0 is in front (+z), an azimuth of a quarter turn on its left (+x).
struct EyeDirection {
  double azimuth = 0.0, elevation = 0.0;  ///< radians
};

struct PictureStyle {
  int width = kPictureWidth, height = kPictureHeight;  ///< pixels
  std::optional<render::View> view = {};               ///< if not set, all frames of the figure are framed ...
  bool hasStoredView = false;                          ///< ... but a single picture has the scene's view, if any ...
  std::optional<EyeDirection> from = {};               ///< ... from here; if not set, from look.side
  render::PictureOptions look = {};                    ///< except its view; a sequence shows no shell
};

/// The path of a frame's file. `output` is a name with one %d or %0Nd for the frame's number, or an existing folder,
/// which gets frame_0000.png and so on; nothing for other names.
std::optional<std::string> framePath(const std::string& output, int frame);

/// Why no picture can be written under this name; empty if one can. Names that end in .jpg or .jpeg get a JPEG, those
/// in .png or without an ending a PNG.
std::string findPictureFault(const std::filesystem::path& output, bool isTransparent);

/// The bytes of a PNG file of the document. Returns nothing, and fills `fault`, on failure.
std::optional<std::string> encodePicture(const Document& document, const PictureStyle& style, std::string& fault);

/// Writes the picture to a file, atomically. Returns an empty text, or what went wrong.
std::string drawPicture(const Document& document, const std::filesystem::path& output, const PictureStyle& style);

struct SequenceDrawn {
  int count = 0;             ///< pictures written
  bool isCancelled = false;  ///< the progress returned false
  std::string fault;         ///< empty, or what ended it
};

/// Called with the finished part, in [0, 1], and the current step; false ends it after the current picture.
using PictureProgress = std::function<bool(double part, std::string_view what)>;

/// Draws frames of the take (scene/document.h) with one view. Each file is written atomically, so that there are whole
/// pictures only, however it ends. framePath() must accept `output`, and the frames must be in the motion.
SequenceDrawn drawSequence(const Document& document, const FrameRange& frames, const std::string& output,
                           const PictureStyle& style, const PictureProgress& progress);

}  // namespace limber::app
