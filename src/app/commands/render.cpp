// SPDX-License-Identifier: MIT
#include "app/commands/commands.h"

#include <cmath>
#include <cstdio>
#include <numbers>
#include <string_view>

#include "app/commands/output.h"
#include "app/settings/looks.h"
#include "limber/io/base/text.h"
#include "limber/io/open.h"

namespace limber::app {

namespace {

PictureStyle styleOf(const RenderArguments& arguments) {
  const bool hasView = !arguments.from.empty() || !arguments.side.empty() || arguments.isOrthographic;
  PictureStyle style{.width = arguments.width,
                     .height = arguments.height,
                     .hasStoredView = !hasView,
                     .from = parseFrom(arguments.from)};
  style.look.isTransparent = arguments.isTransparent;
  if (arguments.style == "in-skin") style.look.skinView = render::SkinView::FigureInSkin;
  if (const auto links = findLinkStyle(arguments.style)) {
    style.look.skinView = render::SkinView::Figure;
    style.look.linkStyle = *links;
  }
  style.look.side = render::viewFromNamed(arguments.side).value_or(render::ViewFrom::ThreeQuarters);
  style.look.isOrthographic = arguments.isOrthographic;
  if (arguments.isLight) style.look.surroundings = render::kLightSurroundings;
  return style;
}

/// Empty, or what went wrong.
std::string drawFrames(const Document& document, const RenderArguments& arguments, Console& console) {
  const auto range = parseFrames(arguments.frames);
  const int count = document.motion ? document.motion->frameCount : 0;
  if (range->last >= count) return arguments.file + ": has " + std::to_string(count) + " frames, counted from 0";
  if (!framePath(arguments.output, 0))
    return arguments.output + ": must be a folder that exists, or a name with %d or %04d for the frame's number";
  const InterruptWatch watch;
  const auto tell = [&](double, std::string_view what) {
    console.showLine(what);
    return !interrupted;
  };
  const SequenceDrawn drawn = drawSequence(document, *range, arguments.output, styleOf(arguments), tell);
  console.endLine(false);
  if (drawn.isCancelled) return "ended by Ctrl+C; " + std::to_string(drawn.count) + " pictures were written";
  return drawn.fault;
}

/// Prints the picture on standard output. Returns the exit code.
int printPicture(const Document& document, const RenderArguments& arguments, Console& console) {
  std::string fault;
  const auto bytes = encodePicture(document, styleOf(arguments), fault);
  return bytes ? console.print(*bytes) : console.fail(fault);
}

}  // namespace

std::optional<FrameRange> parseFrames(const std::string& text) {
  FrameRange range;
  int end = 0;
  const bool isPlain = text.size() < 32 && text.find_first_not_of("0123456789:") == std::string::npos;
  int read = 0;
  if (isPlain) read = std::sscanf(text.c_str(), "%9d:%9d%n:%9d%n", &range.first, &range.last, &end, &range.step, &end);
  if (read < 2 || end != static_cast<int>(text.size()) || range.last < range.first || range.step < 1)
    return std::nullopt;
  return range;
}

std::optional<EyeDirection> parseFrom(const std::string& text) {
  constexpr double kDegree = std::numbers::pi / 180.0, kMost = 1e6;
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos) return std::nullopt;
  const auto azimuth = io::numberOf(text.substr(0, comma)), elevation = io::numberOf(text.substr(comma + 1));
  const bool isDirection = azimuth && elevation && std::abs(*azimuth) <= kMost && std::abs(*elevation) <= 90.0;
  if (!isDirection) return std::nullopt;
  return EyeDirection{*azimuth * kDegree, *elevation * kDegree};
}

int runRender(const RenderArguments& arguments, Console& console) {
  if (!arguments.from.empty() && !parseFrom(arguments.from))
    return console.failUsage("--from " + arguments.from +
                             ": must be AZIMUTH,ELEVATION in degrees, as 30,15; |ELEVATION| <= 90");
  if (!arguments.side.empty() && !render::viewFromNamed(arguments.side))
    return console.failUsage("--view " + arguments.side + ": must be home, front, back, right, left, top or bottom");
  if (!arguments.frames.empty() && !parseFrames(arguments.frames))
    return console.failUsage("--frames " + arguments.frames + ": must be A:B or A:B:STEP with A <= B, counted from 0");
  if (const std::string fault = findPictureFault(arguments.output, arguments.isTransparent); !fault.empty())
    return console.failUsage(arguments.output + ": " + fault);
  const auto opened = io::openAny(arguments.file, arguments.context);
  if (!opened) return console.fail(opened.error());
  console.note(arguments.file, opened->notes);
  const Document& document = opened->document;
  if (arguments.frames.empty() && arguments.output == "-") return printPicture(document, arguments, console);
  const std::string fault = arguments.frames.empty() ? drawPicture(document, arguments.output, styleOf(arguments))
                                                     : drawFrames(document, arguments, console);
  return fault.empty() ? kSuccess : console.fail(fault);
}

}  // namespace limber::app
