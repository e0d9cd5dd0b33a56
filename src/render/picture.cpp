// SPDX-License-Identifier: MIT
#include "render/picture.h"

#include <stb_image_write.h>

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <utility>

#include "render/draw_list.h"
#include "render/gl.h"
#include "render/offscreen.h"
#include "render/renderer.h"

namespace limber::render {

namespace {

bool isSize(int width, int height, std::string& error) {
  const auto isAllowed = [](int size) { return size >= kMinPictureSize && size <= kMaxPictureSize; };
  if (isAllowed(width) && isAllowed(height)) return true;
  error = "a picture of " + std::to_string(width) + " x " + std::to_string(height) + " pixels: each side must be " +
          std::to_string(kMinPictureSize) + " to " + std::to_string(kMaxPictureSize);
  return false;
}

/// Colours over a transparent background are multiplied by alpha; in files they are not.
void divideByAlpha(Picture& picture) {
  for (std::size_t i = 0; i < picture.pixels.size(); i += 4) {
    const int alpha = picture.pixels[i + 3];
    if (alpha == 0 || alpha == 255) continue;
    for (std::size_t k = i; k < i + 3; ++k)
      picture.pixels[k] = static_cast<std::uint8_t>(std::min(255, (255 * picture.pixels[k] + alpha / 2) / alpha));
  }
}

}  // namespace

struct PicturePainter::Tools {
  int width = 0, height = 0;
  std::unique_ptr<OffscreenContext> context;  // destroyed last
  std::unique_ptr<Renderer> renderer;
  std::unique_ptr<OffscreenTarget> target;
  Kinematics kinematics;
  DrawList list;
};

PicturePainter::PicturePainter(std::unique_ptr<Tools> tools) : tools_(std::move(tools)) {}
PicturePainter::~PicturePainter() = default;

std::unique_ptr<PicturePainter> PicturePainter::create(int width, int height, const std::filesystem::path& shaderFolder,
                                                       std::string& error) {
  if (!isSize(width, height, error)) return nullptr;
  auto tools = std::make_unique<Tools>();
  tools->width = width;
  tools->height = height;
  tools->context = OffscreenContext::create(error);
  if (!tools->context) return nullptr;
  tools->renderer = Renderer::create(shaderFolder, OffscreenContext::loader(), error);
  if (!tools->renderer) return nullptr;
  tools->target = OffscreenTarget::create(width, height, error);
  if (!tools->target) return nullptr;
  tools->renderer->drawFinely();
  return std::unique_ptr<PicturePainter>(new PicturePainter(std::move(tools)));
}

Picture PicturePainter::draw(const Document& document, const PictureOptions& options) {
  assert(document.figure);
  Tools& t = *tools_;
  computeKinematics(*document.figure, document.pose, t.kinematics);
  Highlight highlight;
  highlight.skinView = options.skinView;
  highlight.linkStyle = options.linkStyle;
  highlight.shell = options.shell;
  highlight.showReference = options.hasReference;
  makeDrawList(document, t.kinematics, highlight, t.list);
  View seen = options.view ? *options.view : frameList(t.list, t.width, t.height, options.side, options.isOrthographic);
  seen.width = t.width;
  seen.height = t.height;
  highlight.view = &seen;
  makeDrawList(document, t.kinematics, highlight, t.list);
  t.list.isTransparent = options.isTransparent;
  t.list.surroundings = options.surroundings;
  t.renderer->draw(t.list, seen, t.target->framebuffer());
  return readPicture(t.target->resolve(), t.width, t.height, options.isTransparent ? 4 : 3);
}

std::optional<Picture> drawPicture(const Document& document, int width, int height,
                                   const std::filesystem::path& shaderFolder, std::string& error,
                                   const PictureOptions& options) {
  if (!isSize(width, height, error)) return std::nullopt;
  if (!document.figure) {
    error = "there is no figure to draw";
    return std::nullopt;
  }
  const auto painter = PicturePainter::create(width, height, shaderFolder, error);
  if (!painter) return std::nullopt;
  return painter->draw(document, options);
}

Picture readPicture(unsigned framebuffer, int width, int height, int channels) {
  Picture picture{width, height, {}, channels};
  const std::size_t pixelCount = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  const std::size_t rowSize = static_cast<std::size_t>(channels) * static_cast<std::size_t>(width);
  picture.pixels.resize(4 * pixelCount);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, picture.pixels.data());  // OpenGL ES reads only RGBA
  if (channels == 3) {
    for (std::size_t i = 1; i < pixelCount; ++i)
      std::copy_n(picture.pixels.begin() + static_cast<std::ptrdiff_t>(4 * i), 3,
                  picture.pixels.begin() + static_cast<std::ptrdiff_t>(3 * i));
    picture.pixels.resize(3 * pixelCount);
  }
  for (int top = 0, bottom = height - 1; top < bottom; ++top, --bottom) {  // OpenGL counts rows from below
    const auto topRow = picture.pixels.begin() + static_cast<std::ptrdiff_t>(rowSize) * top;
    std::swap_ranges(topRow, topRow + static_cast<std::ptrdiff_t>(rowSize),
                     picture.pixels.begin() + static_cast<std::ptrdiff_t>(rowSize) * bottom);
  }
  if (channels == 4) divideByAlpha(picture);
  return picture;
}

namespace {

void appendEncoded(void* to, void* data, int size) {
  auto& bytes = *static_cast<std::vector<std::uint8_t>*>(to);
  const auto* first = static_cast<const std::uint8_t*>(data);
  bytes.insert(bytes.end(), first, first + size);
}

}  // namespace

std::vector<std::uint8_t> encodePng(const Picture& picture) {
  std::vector<std::uint8_t> bytes;
  stbi_write_png_to_func(appendEncoded, &bytes, picture.width, picture.height, picture.channels, picture.pixels.data(),
                         picture.channels * picture.width);
  return bytes;
}

std::vector<std::uint8_t> encodeJpeg(const Picture& picture) {
  constexpr int kQuality = 92;  // of 100
  std::vector<std::uint8_t> bytes;
  stbi_write_jpg_to_func(appendEncoded, &bytes, picture.width, picture.height, picture.channels, picture.pixels.data(),
                         kQuality);
  return bytes;
}

}  // namespace limber::render
