// SPDX-License-Identifier: MIT
// Small pictures of documents as textures, for panels.
#pragma once

#include <memory>

#include "limber/scene/document.h"
#include "render/renderer.h"

namespace limber::render {

/// Needs a current context with loaded functions from the first picture to the destructor.
class Thumbnails {
 public:
  Thumbnails();
  ~Thumbnails();

  /// Draws the figure, seen from `view` or else as framed by frameList, `size` pixels square. Returns the OpenGL name
  /// of the texture, valid until clear(), or 0 if the driver has no memory. Rows from below. Leaves the window's
  /// framebuffer bound.
  unsigned draw(Renderer& renderer, const Document& document, SkinView skinView, LinkStyle linkStyle,
                const Surroundings& surroundings, int size, const View* view = nullptr);
  /// The same for a picture that is there already. Rows from above.
  unsigned add(const SkinTexture& picture);
  void clear();

 private:
  struct Tools;
  std::unique_ptr<Tools> tools_;
};

}  // namespace limber::render
