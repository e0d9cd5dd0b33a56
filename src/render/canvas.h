// SPDX-License-Identifier: MIT
// What a window shows of the scene: drawn into buffers of its own, kept while nothing changes, and smoothed as well as
// the time allows while something does.
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
  /// The renderer's context must be current, here and for all that follows.
  Canvas(Renderer& renderer, std::filesystem::path shaderFolder);
  ~Canvas();

  /// Puts the scene, as the view sees it, into `framebuffer`, 0 for the window's, with its lower left corner at pixel
  /// (left, bottom).
  /// What looks the same as before is not drawn again, unless it could now be drawn better: when `isStill`, no other
  /// frame is in sight and time does not matter. True when it was drawn. Restores no state but as Renderer::draw.
  bool show(const DrawList& list, const View& view, int left, int bottom, bool isStill, unsigned framebuffer = 0);

  /// What a frame with a moving picture took, everything else in the window with it, and when it ended; seconds.
  void tookFrame(double seconds, double now) { choice_.tell(seconds, now); }

  Smoothing smoothing() const { return kept_; }  ///< of what is shown
  const std::string& fault() const { return fault_; }  ///< empty, or why nothing is shown

 private:
  struct Plain;
  void draw(Smoothing smoothing, const DrawList& list, const View& view);
  void showFiltered(const View& view, int left, int bottom, unsigned framebuffer);

  Renderer& renderer_;
  std::filesystem::path shaderFolder_;
  Smoothing best_;
  SmoothingChoice choice_;
  std::unique_ptr<Plain> plain_;
  std::unique_ptr<OffscreenTarget> sampled_;
  std::optional<Shader> filter_;   // loaded when it is first needed
  VertexArrayHandle noVertices_;
  DrawList list_;                  // what is shown
  View view_;
  Smoothing kept_ = Smoothing::None;
  unsigned source_ = 0;            // the framebuffer that holds it; 0 for none
  std::string fault_;
};

}  // namespace limber::render
