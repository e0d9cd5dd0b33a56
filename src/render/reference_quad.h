// SPDX-License-Identifier: MIT
// The image of a reference picture on the graphics card, uploaded once.
#pragma once

#include <memory>

#include "render/draw_list.h"
#include "render/gl_handle.h"
#include "render/shader.h"

namespace limber::render {

class ReferenceQuad {
 public:
  /// An image larger than the driver's textures is halved until it fits.
  explicit ReferenceQuad(std::shared_ptr<const PictureFile> file);

  bool isOf(const std::shared_ptr<const PictureFile>& file) const { return file_.lock() == file; }

  /// The shader of reference.vert must be in use and blending enabled. Positions are relative to `centre`, subtracted
  /// in double.
  void draw(const Shader& shader, const DrawReference& drawn, const Eigen::Vector3d& centre) const;

 private:
  std::weak_ptr<const PictureFile> file_;
  TextureHandle texture_;
  VertexArrayHandle noVertices_;
};

}  // namespace limber::render
