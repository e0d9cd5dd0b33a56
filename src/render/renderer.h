// SPDX-License-Identifier: MIT
// The door to OpenGL: draws a draw list as a view sees it. Nothing outside src/render/ calls OpenGL for the scene.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "render/draw_list.h"
#include "render/view.h"

namespace limber::render {

/// Finds OpenGL functions by name: glfwGetProcAddress, eglGetProcAddress, ... are of this type.
using LoadFunction = void (*(*)(const char* name))();

class Renderer {
 public:
  /// Loads OpenGL 3.3 core through `load` and compiles the shaders of `shaderFolder`. A context must be current, and
  /// stay so (or be made so again) for draw and for the destructor. Null, with a sentence in `error`, on failure.
  static std::unique_ptr<Renderer> create(const std::filesystem::path& shaderFolder, LoadFunction load,
                                          std::string& error);
  ~Renderer();

  /// Clears and draws. `framebuffer` is the OpenGL name of the target, 0 for the window's; its size in pixels is
  /// at least the view's. Multisampling is the target's own; a stencil keeps faint overlays even and may be missing.
  /// Leaves no depth test, blending, program or vertex array behind. Cost: linear, no allocation when warm.
  /// The picture's lower left corner is put at pixel (left, bottom) of the target, for a window with panels around it.
  void draw(const DrawList& list, const View& view, unsigned framebuffer = 0, int left = 0, int bottom = 0);

  /// "llvmpipe (LLVM 15.0.6, 256 bits)", as the driver calls itself.
  const std::string& deviceName() const;
  /// True when the processor draws (Mesa's llvmpipe): limbs are coarser then.
  bool isSoftware() const;
  /// Smooth limbs whatever they cost: for pictures.
  void drawFinely();

 private:
  struct Resources;
  explicit Renderer(std::unique_ptr<Resources> resources);
  std::unique_ptr<Resources> resources_;
};

}  // namespace limber::render
