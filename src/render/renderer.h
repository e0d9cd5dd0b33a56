// SPDX-License-Identifier: MIT
// Draws a draw list from a view. Nothing outside src/render/ calls OpenGL for the scene.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "render/draw_list.h"
#include "render/view.h"

namespace limber::render {

/// A loader of OpenGL functions by name, such as glfwGetProcAddress or eglGetProcAddress.
using LoadFunction = void (*(*)(const char* name))();

class Renderer {
 public:
  /// Loads OpenGL 3.3 core through `load` and compiles the shaders of `shaderFolder`. A context must be current, here,
  /// in draw and in the destructor. Null, with a sentence in `error`, if that fails.
  static std::unique_ptr<Renderer> create(const std::filesystem::path& shaderFolder, LoadFunction load,
                                          std::string& error);
  ~Renderer();

  /// Clears and draws. `framebuffer` is the OpenGL name of the target, 0 for the window's, whose size in pixels is at
  /// least the view's; the picture's lower left corner is at pixel (left, bottom). The target may be multisampled, and
  /// should have a stencil, which keeps faint overlays even. Disables depth test and blending, and unbinds program and
  /// vertex array. Cost: linear; no allocation once sized.
  void draw(const DrawList& list, const View& view, unsigned framebuffer = 0, int left = 0, int bottom = 0);

  /// The driver's name of the device, such as "llvmpipe (LLVM 15.0.6, 256 bits)".
  const std::string& deviceName() const;
  /// True for a software renderer (Mesa's llvmpipe), for which limbs are coarser.
  bool isSoftware() const;
  /// Draws limbs in full detail from now on, for pictures.
  void drawFinely();

 private:
  struct Resources;
  explicit Renderer(std::unique_ptr<Resources> resources);
  std::unique_ptr<Resources> resources_;
};

}  // namespace limber::render
