// SPDX-License-Identifier: MIT
// Small pictures of documents as textures, for panels that show many.
#pragma once

#include <memory>

#include "limber/scene/document.h"
#include "render/renderer.h"

namespace limber::render {

/// Needs a current context with loaded functions, from its first picture to its end.
class Thumbnails {
 public:
  Thumbnails();
  ~Thumbnails();

  /// The figure from where frameList sees it, `size` pixels square; its texture's OpenGL name, which lives until
  /// clear(). 0 when the driver has no memory for it. Rows from below. Leaves the window's framebuffer bound.
  unsigned draw(Renderer& renderer, const Document& document, SkinView skinView, LinkStyle linkStyle,
                const Surroundings& surroundings, int size);
  void clear();

 private:
  struct Tools;
  std::unique_ptr<Tools> tools_;
};

}  // namespace limber::render
