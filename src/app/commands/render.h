// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <ostream>
#include <string>

namespace limber::app {

inline constexpr int kPictureWidth = 1400;
inline constexpr int kPictureHeight = 900;

/// Frames of a motion, counted from 0, the last one included.
struct FrameRange {
  int first = 0, last = 0, step = 1;
};

/// "A:B" or "A:B:STEP", 0 <= A <= B, STEP >= 1; nothing for anything else.
std::optional<FrameRange> parseFrames(const std::string& text);

/// The file of a frame. `output` is a name with one %d or %0Nd in it for the frame's number, or a folder, which gets
/// frame_0000.png and so on; nothing for other names.
std::optional<std::string> framePath(const std::string& output, int frame);

struct RenderArguments {
  std::string file;
  std::string output;            ///< "-" writes the picture to standard output
  int width = kPictureWidth, height = kPictureHeight;
  bool isTransparent = false;    ///< nothing behind the figure
  std::string frames;            ///< of a sequence; empty for one picture
};

/// `limber render FILE -o PNG`: the figure of a file drawn without a display, framed from three quarters. A sequence keeps
/// one view that shows all of its frames; Ctrl+C ends it between two. Returns the exit code: 0, or 1 with a sentence on
/// `err`.
int runRender(const RenderArguments& arguments, std::ostream& out, std::ostream& err);

}  // namespace limber::app
