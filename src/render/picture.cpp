// SPDX-License-Identifier: MIT
#include "render/picture.h"

#include <glad/gl.h>
#include <stb_image_write.h>

#include <algorithm>
#include <cstdlib>

#include "render/draw_list.h"
#include "render/offscreen.h"
#include "render/renderer.h"

namespace limber::render {

std::optional<Picture> drawPicture(const Document& document, int width, int height,
                                   const std::filesystem::path& shaderFolder, std::string& error, const View* view) {
  const auto isAllowed = [](int size) { return size >= kMinPictureSize && size <= kMaxPictureSize; };
  if (!isAllowed(width) || !isAllowed(height)) {
    error = "a picture of " + std::to_string(width) + " x " + std::to_string(height) + " pixels: each side must be " +
            std::to_string(kMinPictureSize) + " to " + std::to_string(kMaxPictureSize);
    return std::nullopt;
  }
  if (!document.figure) {
    error = "there is no figure to draw";
    return std::nullopt;
  }

  Kinematics kinematics;
  computeKinematics(*document.figure, document.pose, kinematics);
  DrawList list;
  makeDrawList(document, kinematics, Highlight{}, list);
  View seen = view ? *view : frameList(list, width, height);
  seen.width = width;
  seen.height = height;
  Highlight highlight;
  highlight.view = &seen;
  makeDrawList(document, kinematics, highlight, list);

  const auto context = OffscreenContext::create(error);
  if (!context) return std::nullopt;
  const auto renderer = Renderer::create(shaderFolder, OffscreenContext::loader(), error);
  if (!renderer) return std::nullopt;
  const auto target = OffscreenTarget::create(width, height, error);
  if (!target) return std::nullopt;
  renderer->drawFinely();
  renderer->draw(list, seen, target->framebuffer());
  return readPicture(target->resolve(), width, height);
}

Picture readPicture(unsigned framebuffer, int width, int height) {
  Picture picture{width, height, {}};
  const std::size_t rowSize = 3 * static_cast<std::size_t>(width);
  picture.pixels.resize(rowSize * static_cast<std::size_t>(height));
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, picture.pixels.data());
  for (int top = 0, bottom = height - 1; top < bottom; ++top, --bottom) {  // OpenGL counts rows from below
    const auto topRow = picture.pixels.begin() + static_cast<std::ptrdiff_t>(rowSize) * top;
    std::swap_ranges(topRow, topRow + static_cast<std::ptrdiff_t>(rowSize),
                     picture.pixels.begin() + static_cast<std::ptrdiff_t>(rowSize) * bottom);
  }
  return picture;
}

std::vector<std::uint8_t> encodePng(const Picture& picture) {
  std::vector<std::uint8_t> bytes;
  const auto append = [](void* to, void* data, int size) {
    const auto* first = static_cast<const std::uint8_t*>(data);
    static_cast<std::vector<std::uint8_t>*>(to)->insert(static_cast<std::vector<std::uint8_t>*>(to)->end(), first,
                                                        first + size);
  };
  stbi_write_png_to_func(append, &bytes, picture.width, picture.height, 3, picture.pixels.data(), 3 * picture.width);
  return bytes;
}

std::optional<std::vector<std::uint8_t>> renderPicture(const Document& document, int width, int height,
                                                       const std::filesystem::path& shaderFolder, std::string& error) {
  const auto picture = drawPicture(document, width, height, shaderFolder, error);
  if (!picture) return std::nullopt;
  return encodePng(*picture);
}

}  // namespace limber::render
