// SPDX-License-Identifier: MIT
// The soft shadow of the figure on its ground.
//
// A depth map along the light gives, for each point of the plane, whether something is above and how far. That mask
// (coverage, coverage x height) is blurred twice, a little and much; the ground's shader goes from sharp to soft as
// the caster's height grows. Three texture reads for each pixel in shadow instead of a wide filter: a software
// renderer keeps up. The figure shades itself from the depth map.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "render/shader.h"
#include "render/shadow_frame.h"

namespace limber::render {

class Shadow {
 public:
  /// Null with a sentence when a shader fails.
  static std::unique_ptr<Shadow> create(const std::filesystem::path& shaderFolder, std::string& error);

  /// Fills the maps; `drawCasters` draws the depth of the scene. Changes framebuffer and viewport.
  void fill(const ShadowFrame& frame, const std::function<void(const glm::mat4& clipFromWorld)>& drawCasters);

  /// Lets a shader of the figure read the depth map: texture unit 0, and the uniforms named after shadow.
  void bindDepth(const Shader& shader, const ShadowFrame& frame) const;

  /// Takes `strength`, [0, 1], of the light from the ground below the shadow's box, where the depth test passes; more
  /// where what casts it is not much above contactHeight, metres.
  void drawOnGround(const ShadowFrame& frame, const glm::mat4& clipFromWorld, float strength,
                    float contactHeight) const;

 private:
  struct Target {
    TextureHandle texture;
    FramebufferHandle framebuffer;
    int size = 0;
  };
  Shadow() = default;
  static Target makeMaskTarget(int size);
  void blur(const Target& from, const Target& between, const Target& to, float spread, const ShadowFrame& frame) const;

  std::optional<Shader> maskShader_, blurShader_, groundShader_;
  TextureHandle depth_;
  FramebufferHandle depthFramebuffer_;
  SamplerHandle compareSampler_;
  VertexArrayHandle noVertices_;
  Target mask_, smallBetween_, small_, smallerBetween_, smaller_;
};

}  // namespace limber::render
