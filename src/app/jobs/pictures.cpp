// SPDX-License-Identifier: MIT
#include "app/jobs/pictures.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "app/view/camera.h"
#include "limber/io/base/file.h"
#include "limber/io/base/resources.h"
#include "limber/io/figure_formats.h"

namespace limber::app {

namespace {

constexpr double kFramingPart = 0.1;  // of the progress: finding the view

bool isJpegName(const std::filesystem::path& output) {
  const std::string ending = io::endingOf(output);
  return ending == ".jpg" || ending == ".jpeg";
}

/// The bytes of a file of this name.
std::vector<std::uint8_t> encodeAs(const std::filesystem::path& output, const render::Picture& picture) {
  return isJpegName(output) ? render::encodeJpeg(picture) : render::encodePng(picture);
}

std::string_view asText(const std::vector<std::uint8_t>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::optional<std::filesystem::path> findShaders(std::string& fault) {
  auto shaders = io::findResource("shaders");
  if (!shaders)
    fault = "the folder \"shaders\" is missing next to the program; LIMBER_RESOURCES can name another place";
  return shaders;
}

/// The document at a frame of its take.
Document atFrame(const Document& document, int frame) {
  Document shown = document;
  showFrame(shown, frame);
  shown.pose = poseOfTake(document, frame);
  return shown;
}

/// The view of a box; the front is that of the list.
render::View framed(const render::DrawList& list, const Eigen::Vector3d& low, const Eigen::Vector3d& high,
                    const PictureStyle& style) {
  render::View view =
      render::frameFigure(low, high, list.planar, style.width, style.height, style.look.side, list.frontTurns);
  if (style.from) {
    const double level = std::cos(style.from->elevation);
    const double azimuth = style.from->azimuth + 0.5 * std::numbers::pi * list.frontTurns;
    view.eye = view.centre +
               Eigen::Vector3d(level * std::sin(azimuth), std::sin(style.from->elevation), level * std::cos(azimuth));
    view = render::frameBox(view, low, high);
  }
  return style.look.isOrthographic ? render::frameBox(render::asOrthographic(view), low, high) : view;
}

/// The view that a style determines; nothing if it leaves that to the painter.
std::optional<render::View> viewOf(const Document& document, const PictureStyle& style) {
  const bool isStored = style.hasStoredView && document.view;
  if (style.view || !(style.from || isStored) || !document.figure) return style.view;
  render::DrawList list;
  Kinematics kinematics;
  computeKinematics(*document.figure, document.pose, kinematics);
  render::makeDrawList(document, kinematics, {}, list);
  if (!isStored) return framed(list, list.boundsMin, list.boundsMax, style);
  Camera camera{.boundsMin = list.boundsMin, .boundsMax = list.boundsMax};
  takeStoredView(camera, *document.view);
  return viewOf(camera, style.width, style.height);
}

/// A view that shows the figure in each of the frames; nothing if `progress` returned false.
std::optional<render::View> frameAllOf(const Document& document, const FrameRange& frames, const PictureStyle& style,
                                       const PictureProgress& progress) {
  Eigen::Vector3d low = Eigen::Vector3d::Constant(std::numeric_limits<double>::infinity()), high = -low;
  render::DrawList list;
  Kinematics kinematics;
  for (int i = 0; i < frames.count(); ++i) {
    if (!progress(kFramingPart * i / frames.count(), "looking for a view")) return std::nullopt;
    const Document shown = atFrame(document, frames.first + i * frames.step);
    computeKinematics(*shown.figure, shown.pose, kinematics);
    render::makeDrawList(shown, kinematics, {}, list);
    low = low.cwiseMin(list.boundsMin);
    high = high.cwiseMax(list.boundsMax);
  }
  return framed(list, low, high, style);
}

/// Nothing, with `fault`, on failure.
std::optional<render::Picture> pictureOf(const Document& document, const PictureStyle& style, std::string& fault) {
  const auto shaders = findShaders(fault);
  if (!shaders) return std::nullopt;
  const auto view = viewOf(document, style);
  render::PictureOptions options = style.look;
  options.view = view ? &*view : nullptr;
  return render::drawPicture(document, style.width, style.height, *shaders, fault, options);
}

}  // namespace

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

std::string findPictureFault(const std::filesystem::path& output, bool isTransparent) {
  const std::string ending = io::endingOf(output);
  std::error_code ignored;
  if (isJpegName(output)) return isTransparent ? "a JPEG cannot be transparent: use .png" : "";
  const bool isPng = ending.empty() || ending == ".png" || output == "-";
  return isPng || std::filesystem::is_directory(output, ignored) ? "" : "the name must end in .png or .jpg";
}

std::optional<std::string> encodePicture(const Document& document, const PictureStyle& style, std::string& fault) {
  const auto picture = pictureOf(document, style, fault);
  if (!picture) return std::nullopt;
  return std::string(asText(render::encodePng(*picture)));
}

std::string drawPicture(const Document& document, const std::filesystem::path& output, const PictureStyle& style) {
  std::string fault = findPictureFault(output, style.look.isTransparent);
  if (!fault.empty()) return output.string() + ": " + fault;
  const auto picture = pictureOf(document, style, fault);
  if (!picture) return fault;
  const auto failed = io::writeFileAtomically(output, asText(encodeAs(output, *picture)));
  return failed ? failed->message() : std::string();
}

SequenceDrawn drawSequence(const Document& document, const FrameRange& frames, const std::string& output,
                           const PictureStyle& style, const PictureProgress& progress) {
  SequenceDrawn drawn;
  const auto shaders = findShaders(drawn.fault);
  if (!shaders) return drawn;
  const auto painter = render::PicturePainter::create(style.width, style.height, *shaders, drawn.fault);
  if (!painter) return drawn;
  const auto view = style.view ? style.view : frameAllOf(document, frames, style, progress);
  const double start = style.view ? 0.0 : kFramingPart;
  render::PictureOptions options = style.look;
  options.view = view ? &*view : nullptr;
  options.shell = {};
  drawn.isCancelled = !view;
  for (int i = 0; i < frames.count() && !drawn.isCancelled; ++i) {
    const int frame = frames.first + i * frames.step;
    const std::filesystem::path path = *framePath(output, frame);
    const auto bytes = encodeAs(path, painter->draw(atFrame(document, frame), options));
    if (const auto failed = io::writeFileAtomically(path, asText(bytes))) {
      drawn.fault = failed->message();
      return drawn;
    }
    const std::string what = std::to_string(++drawn.count) + " of " + std::to_string(frames.count()) + " pictures";
    const double part = start + (1.0 - start) * drawn.count / frames.count();
    drawn.isCancelled = !progress(part, what) && drawn.count < frames.count();
  }
  return drawn;
}

}  // namespace limber::app
