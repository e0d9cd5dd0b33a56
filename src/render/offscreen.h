// SPDX-License-Identifier: MIT
// An OpenGL context without a window, and a picture to draw into.
#pragma once

#include <memory>
#include <string>

#include "render/renderer.h"

namespace limber::render {

/// A context of EGL: without any surface (Mesa), else with a small pixel buffer of the default display.
class OffscreenContext {
 public:
  /// Makes the context and makes it current on this thread. Null, with a sentence, when the system has none.
  static std::unique_ptr<OffscreenContext> create(std::string& error);
  ~OffscreenContext();

  /// Finds OpenGL functions; for Renderer::create.
  static LoadFunction loader();

 private:
  struct Handles;
  explicit OffscreenContext(std::unique_ptr<Handles> handles);
  std::unique_ptr<Handles> handles_;
};

/// A framebuffer of a given size with multisampling (as much as the driver has, up to a limit), resolved on request.
/// Needs a current context with loaded functions.
class OffscreenTarget {
 public:
  static std::unique_ptr<OffscreenTarget> create(int width, int height, std::string& error, int mostSamples = 8);
  ~OffscreenTarget();

  unsigned framebuffer() const;      ///< to draw into
  /// Resolves what was drawn; the framebuffer to read from.
  unsigned resolve() const;
  int sampleCount() const;
  int width() const;
  int height() const;

 private:
  struct Buffers;
  explicit OffscreenTarget(std::unique_ptr<Buffers> buffers);
  std::unique_ptr<Buffers> buffers_;
};

}  // namespace limber::render
