// SPDX-License-Identifier: MIT
#include "render/reference_quad.h"

#include <algorithm>
#include <string>

#include "render/convert.h"

namespace limber::render {

namespace {

/// Every second pixel of every second row.
SkinTexture halved(const SkinTexture& image) {
  SkinTexture out{std::max(image.width / 2, 1), std::max(image.height / 2, 1), {}};
  out.pixels.resize(4 * static_cast<std::size_t>(out.width) * static_cast<std::size_t>(out.height));
  for (int y = 0; y < out.height; ++y)
    for (int x = 0; x < out.width; ++x) {
      const std::size_t from = 4 * (2 * static_cast<std::size_t>(y) * image.width + 2 * static_cast<std::size_t>(x));
      const std::size_t to = 4 * (static_cast<std::size_t>(y) * out.width + static_cast<std::size_t>(x));
      std::copy_n(image.pixels.begin() + static_cast<std::ptrdiff_t>(from), 4,
                  out.pixels.begin() + static_cast<std::ptrdiff_t>(to));
    }
  return out;
}

void upload(const SkinTexture& image) {
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, image.width, image.height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
               image.pixels.data());
}

void uploadFitting(const SkinTexture& image, int mostSize) {
  if (std::max(image.width, image.height) <= mostSize) return upload(image);
  SkinTexture smaller = halved(image);
  while (std::max(smaller.width, smaller.height) > mostSize) smaller = halved(smaller);
  upload(smaller);
}

}  // namespace

ReferenceQuad::ReferenceQuad(std::shared_ptr<const PictureFile> file)
    : file_(file), texture_(makeTexture()), noVertices_(makeVertexArray()) {
  GLint mostSize = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &mostSize);
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, texture_);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  uploadFitting(file->image, std::max(mostSize, 1));
  glGenerateMipmap(GL_TEXTURE_2D);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glBindTexture(GL_TEXTURE_2D, 0);
}

void ReferenceQuad::draw(const Shader& shader, const DrawReference& drawn, const Eigen::Vector3d& centre) const {
  for (std::size_t i = 0; i < drawn.corners.size(); ++i)
    shader.set(("corners[" + std::to_string(i) + "]").c_str(), toGlm(drawn.corners[i] - centre));
  const auto& [left, top, right, bottom] = drawn.crop;
  shader.set("shown", glm::vec4(left, top, 1.0 - right, 1.0 - bottom));
  shader.set("opacity", drawn.opacity);
  shader.set("picture", 0);
  glActiveTexture(GL_TEXTURE0);
  glBindSampler(0, 0);
  glBindTexture(GL_TEXTURE_2D, texture_);
  glBindVertexArray(noVertices_);
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  glBindTexture(GL_TEXTURE_2D, 0);
}

}  // namespace limber::render
