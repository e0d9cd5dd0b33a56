// SPDX-License-Identifier: MIT
// An OpenGL context without a window, and a framebuffer to draw into.
#pragma once

#include <memory>
#include <string>

#include "render/renderer.h"

namespace limber::render {

/// An EGL context without a surface (Mesa), else with a small pixel buffer of the default display.
class OffscreenContext {
 public:
  /// Creates the context and makes it current on this thread. Null, with a sentence in `error`, if the system has none.
  static std::unique_ptr<OffscreenContext> create(std::string& error);
  ~OffscreenContext();

  /// The loader for Renderer::create.
  static LoadFunction loader();

 private:
  struct Handles;
  explicit OffscreenContext(std::unique_ptr<Handles> handles);
  std::unique_ptr<Handles> handles_;
};

/// A multisampled framebuffer (with at most mostSamples, as many as the driver supports), resolved on request. Needs a
/// current context with loaded functions.
class OffscreenTarget {
 public:
  static std::unique_ptr<OffscreenTarget> create(int width, int height, std::string& error, int mostSamples = 8);
  ~OffscreenTarget();

  unsigned framebuffer() const;  ///< to draw into
  /// Resolves the samples. Returns the framebuffer to read from.
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
