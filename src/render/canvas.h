// SPDX-License-Identifier: MIT
// The scene in a window: drawn into buffers of its own, kept while nothing changes, and antialiased as well as time
// allows.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "render/offscreen.h"
#include "render/renderer.h"
#include "render/shader.h"
#include "render/smoothing.h"

namespace limber::render {

class Canvas {
 public:
  /// The renderer's context must be current, here and in all calls.
  Canvas(Renderer& renderer, std::filesystem::path shaderFolder);
  ~Canvas();

  /// Shows the scene from the view in `framebuffer`, 0 for the window's, with its lower left corner at pixel (left,
  /// bottom). Copies the last picture if it would look the same, unless it can now be drawn better: isStill says that
  /// no other frame will follow soon. True if it was drawn. Leaves OpenGL's state as Renderer::draw does.
  bool show(const DrawList& list, const View& view, int left, int bottom, bool isStill, unsigned framebuffer = 0);

  /// Reports the time that a whole frame with a moving picture took, and when it ended; seconds.
  void tookFrame(double seconds, double now) { choice_.tell(seconds, now); }

  Smoothing smoothing() const { return kept_; }        ///< of the picture shown
  const std::string& fault() const { return fault_; }  ///< why nothing is shown, else empty

 private:
  struct Plain;
  static void clearShown();
  void draw(Smoothing smoothing, const DrawList& list, const View& view);
  void showFiltered(const View& view, int left, int bottom, unsigned framebuffer);

  Renderer& renderer_;
  std::filesystem::path shaderFolder_;
  Smoothing best_;
  SmoothingChoice choice_;
  std::unique_ptr<Plain> plain_;
  std::unique_ptr<OffscreenTarget> sampled_;
  std::optional<Shader> filter_;  // loaded on first use
  VertexArrayHandle noVertices_;
  DrawList list_;  // of the picture shown
  View view_;
  Smoothing kept_ = Smoothing::None;
  unsigned source_ = 0;  // its framebuffer; 0 for none
  std::string fault_;
};

}  // namespace limber::render
