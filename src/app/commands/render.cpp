// SPDX-License-Identifier: MIT
#include "app/commands/render.h"

#include <cstdio>
#include <filesystem>
#include <limits>
#include <string_view>

#include "app/commands/interrupt_watch.h"
#include "io/file.h"
#include "io/open.h"
#include "io/resources.h"
#include "render/picture.h"

namespace limber::app {

namespace {

std::string_view asText(const std::vector<std::uint8_t>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// A view that shows the figure in each of the frames.
render::View frameAllOf(Document document, const FrameRange& range, int width, int height) {
  Eigen::Vector3d low = Eigen::Vector3d::Constant(std::numeric_limits<double>::infinity()), high = -low;
  render::DrawList list;
  Kinematics kinematics;
  for (int frame = range.first; frame <= range.last && !interrupted; frame += range.step) {
    showFrame(document, frame);
    computeKinematics(*document.figure, document.pose, kinematics);
    render::makeDrawList(document, kinematics, {}, list);
    low = low.cwiseMin(list.boundsMin);
    high = high.cwiseMax(list.boundsMax);
  }
  return render::frameFigure(low, high, document.figure->isPlanar(), width, height);
}

/// Empty, or what went wrong.
std::string drawSequence(Document document, const RenderArguments& arguments, const FrameRange& range,
                         const std::filesystem::path& shaders, std::ostream& err) {
  const InterruptWatch watch;
  std::string error;
  const auto painter = render::PicturePainter::create(arguments.width, arguments.height, shaders, error);
  if (!painter) return error;
  const render::View view = frameAllOf(document, range, arguments.width, arguments.height);
  const int count = (range.last - range.first) / range.step + 1;
  int done = 0;
  for (int frame = range.first; frame <= range.last && !interrupted; frame += range.step) {
    showFrame(document, frame);
    const auto bytes =
        render::encodePng(painter->draw(document, {.view = &view, .isTransparent = arguments.isTransparent}));
    if (const auto fault = io::writeFileAtomically(*framePath(arguments.output, frame), asText(bytes)))
      return fault->message();
    err << '\r' << ++done << " of " << count << " pictures" << std::flush;
  }
  err << '\n';
  return interrupted ? "ended by Ctrl+C; " + std::to_string(done) + " pictures were written" : std::string();
}

}  // namespace

std::optional<FrameRange> parseFrames(const std::string& text) {
  FrameRange range;
  int end = 0;
  const bool isPlain = text.size() < 32 && text.find_first_not_of("0123456789:") == std::string::npos;
  int read = 0;
  if (isPlain)
    read = std::sscanf(text.c_str(), "%9d:%9d%n:%9d%n", &range.first, &range.last, &end, &range.step, &end);
  if (read < 2 || end != static_cast<int>(text.size()) || range.last < range.first || range.step < 1)
    return std::nullopt;
  return range;
}

std::optional<std::string> framePath(const std::string& output, int frame) {
  const std::size_t percent = output.find('%');
  if (percent == std::string::npos) {
    if (!std::filesystem::is_directory(output)) return std::nullopt;
    return framePath((std::filesystem::path(output) / "frame_%04d.png").string(), frame);
  }
  const std::size_t end = output.find('d', percent);
  if (end == std::string::npos || output.find('%', percent + 1) != std::string::npos) return std::nullopt;
  const std::string width = output.substr(percent + 1, end - percent - 1);
  const bool isWidth = width.empty() || (width.size() == 2 && width[0] == '0' && width[1] >= '1' && width[1] <= '9');
  if (!isWidth) return std::nullopt;
  std::string number = std::to_string(frame);
  const std::size_t digits = width.empty() ? 0 : static_cast<std::size_t>(width[1] - '0');
  if (number.size() < digits) number.insert(0, digits - number.size(), '0');
  return output.substr(0, percent) + number + output.substr(end + 1);
}

int runRender(const RenderArguments& arguments, std::ostream& out, std::ostream& err) {
  const auto fail = [&](const std::string& sentence) {
    err << "limber render: " << sentence << '\n';
    return 1;
  };
  const auto opened = io::openAny(arguments.file);
  if (!opened) return fail(opened.error().message());
  for (const std::string& note : opened->notes) err << arguments.file << ": " << note << '\n';
  const auto shaders = io::findResource("shaders");
  if (!shaders)
    return fail("the folder \"shaders\" is missing beside the program; LIMBER_RESOURCES can name another place");

  const Document& document = opened->document;
  if (!arguments.frames.empty()) {
    const auto range = parseFrames(arguments.frames);
    if (!range) return fail("--frames " + arguments.frames + ": must be A:B or A:B:STEP with A <= B, counted from 0");
    const int count = document.motion ? document.motion->frameCount : 0;
    if (range->last >= count)
      return fail(arguments.file + ": has " + std::to_string(count) + " frames, counted from 0");
    if (!framePath(arguments.output, 0))
      return fail(arguments.output + ": must be a folder, or a name with %d or %04d for the frame's number");
    const std::string fault = drawSequence(document, arguments, *range, *shaders, err);
    return fault.empty() ? 0 : fail(fault);
  }

  std::string error;
  const auto bytes = render::renderPicture(document, arguments.width, arguments.height, *shaders, error,
                                           {.isTransparent = arguments.isTransparent});
  if (!bytes) return fail(arguments.file + ": " + error);
  if (arguments.output == "-") {
    out << asText(*bytes) << std::flush;
    return out ? 0 : fail("standard output: the picture cannot be written");
  }
  if (const auto fault = io::writeFileAtomically(arguments.output, asText(*bytes))) return fail(fault->message());
  return 0;
}

}  // namespace limber::app
