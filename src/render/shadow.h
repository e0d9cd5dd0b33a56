// SPDX-License-Identifier: MIT
// The soft shadow of the figure on its ground.
//
// A depth map along the light gives, for each point of the plane, whether something is above it and how far. That mask
// (coverage, coverage x height) is blurred twice, slightly and strongly; the ground's shader interpolates from sharp to
// soft with the caster's height. Three texture reads for each pixel instead of a wide filter are fast enough for a
// software renderer. The figure's own shadows use the depth map.
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
  /// Null, with a sentence in `error`, if a shader fails.
  static std::unique_ptr<Shadow> create(const std::filesystem::path& shaderFolder, std::string& error);

  /// Renders the maps; drawCasters draws the depth of the scene. Changes framebuffer and viewport.
  void fill(const ShadowFrame& frame, const std::function<void(const glm::mat4& clipFromWorld)>& drawCasters);

  /// Binds the depth map for a shader of the figure: texture unit 0, and the uniforms whose names begin with shadow.
  void bindDepth(const Shader& shader, const ShadowFrame& frame) const;

  /// Darkens the ground in the shadow by `strength`, [0, 1], where the depth test passes; more where the caster is not
  /// much above contactHeight, metres.
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
