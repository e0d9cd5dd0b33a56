// SPDX-License-Identifier: MIT
#include "render/shadow.h"

#include <Eigen/LU>

#include "render/convert.h"

namespace limber::render {

namespace {

constexpr int kMaskSize = kShadowMapSize / 2;
constexpr int kSmallSize = 192;
constexpr int kSmallerSize = 96;
// Standard deviations of the blurs, in texels of their maps; common.glsl has them in metres.
constexpr float kSmallSpread = 1.5f;
constexpr float kSmallerSpread = 3.0f;

void bindTexture(GLuint unit, GLuint texture) {
  glActiveTexture(GL_TEXTURE0 + unit);
  glBindTexture(GL_TEXTURE_2D, texture);
}

/// Clears the bound target and draws the part that the shadow uses.
void fillUsed(int size, const ShadowFrame& frame) {
  glViewport(0, 0, size, size);
  glClear(GL_COLOR_BUFFER_BIT);
  const Eigen::Vector2i low = (size * frame.usedMin).array().floor().cast<int>();
  const Eigen::Vector2i high = (size * frame.usedMax).array().ceil().cast<int>();
  glEnable(GL_SCISSOR_TEST);
  glScissor(low.x(), low.y(), high.x() - low.x(), high.y() - low.y());
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glDisable(GL_SCISSOR_TEST);
}

}  // namespace

Shadow::Target Shadow::makeMaskTarget(int size) {
  Target target{makeTexture(), makeFramebuffer(), size};
  glBindTexture(GL_TEXTURE_2D, target.texture);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RG8, size, size, 0, GL_RG, GL_UNSIGNED_BYTE, nullptr);
  setSampling(GL_LINEAR, kClampToZero);  // no coverage there
  glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target.texture, 0);
  return target;
}

std::unique_ptr<Shadow> Shadow::create(const std::filesystem::path& shaderFolder, std::string& error) {
  std::unique_ptr<Shadow> shadow(new Shadow);
  shadow->maskShader_ = Shader::load(shaderFolder, "fullscreen.vert", "shadow_mask.frag", error);
  if (!shadow->maskShader_) return nullptr;
  shadow->blurShader_ = Shader::load(shaderFolder, "fullscreen.vert", "blur.frag", error);
  if (!shadow->blurShader_) return nullptr;
  shadow->groundShader_ = Shader::load(shaderFolder, "ground_shadow.vert", "ground_shadow.frag", error);
  if (!shadow->groundShader_) return nullptr;

  shadow->depth_ = makeTexture();
  glBindTexture(GL_TEXTURE_2D, shadow->depth_);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, kShadowMapSize, kShadowMapSize, 0, GL_DEPTH_COMPONENT,
               GL_UNSIGNED_INT, nullptr);
  setSampling(GL_NEAREST);
  shadow->depthFramebuffer_ = makeFramebuffer();
  glBindFramebuffer(GL_FRAMEBUFFER, shadow->depthFramebuffer_);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, shadow->depth_, 0);
  const GLenum none = GL_NONE;
  glDrawBuffers(1, &none);
  glReadBuffer(GL_NONE);

  // The figure's shader compares depths; the mask's reads them.
  const SamplerHandle& sampler = shadow->compareSampler_ = makeSampler();
  glSamplerParameteri(sampler, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
  glSamplerParameteri(sampler, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
  glSamplerParameteri(sampler, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glSamplerParameteri(sampler, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glSamplerParameteri(sampler, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glSamplerParameteri(sampler, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);

  shadow->noVertices_ = makeVertexArray();
  shadow->mask_ = makeMaskTarget(kMaskSize);
  shadow->smallBetween_ = makeMaskTarget(kSmallSize);
  shadow->small_ = makeMaskTarget(kSmallSize);
  shadow->smallerBetween_ = makeMaskTarget(kSmallerSize);
  shadow->smaller_ = makeMaskTarget(kSmallerSize);
  return shadow;
}

void Shadow::fill(const ShadowFrame& frame, const std::function<void(const glm::mat4& clipFromWorld)>& drawCasters) {
  Eigen::Matrix4d clipFromShadow = Eigen::Matrix4d::Identity();  // [0, 1] to [-1, 1]
  clipFromShadow.diagonal().head<3>().setConstant(2.0);
  clipFromShadow.topRightCorner<3, 1>().setConstant(-1.0);

  glBindFramebuffer(GL_FRAMEBUFFER, depthFramebuffer_);
  glViewport(0, 0, kShadowMapSize, kShadowMapSize);
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_LESS);
  glDepthMask(GL_TRUE);
  glClear(GL_DEPTH_BUFFER_BIT);
  if (!frame.isEmpty) drawCasters(toGlm(clipFromShadow * frame.shadowFromWorld));

  glDisable(GL_DEPTH_TEST);
  glBindVertexArray(noVertices_);
  glBindFramebuffer(GL_FRAMEBUFFER, mask_.framebuffer);
  maskShader_->use();
  maskShader_->set("depthMap", 0);
  maskShader_->set("planeDepth", toGlm(frame.planeDepth));
  bindTexture(0, depth_);
  glClearColor(0.0f, 0.0f, 0.0f, 0.0f);
  fillUsed(kMaskSize, frame);
  blur(mask_, smallBetween_, small_, kSmallSpread, frame);
  blur(small_, smallerBetween_, smaller_, kSmallerSpread, frame);
}

void Shadow::blur(const Target& from, const Target& between, const Target& to, float spread,
                  const ShadowFrame& frame) const {
  blurShader_->use();
  blurShader_->set("source", 0);
  const auto pass = [&](const Target& source, const Target& target, glm::vec2 direction) {
    glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer);
    // Nine reads, half a standard deviation apart.
    blurShader_->set("stride", direction * (0.5f * spread / static_cast<float>(target.size)));
    bindTexture(0, source.texture);
    fillUsed(target.size, frame);
  };
  pass(from, between, {1.0f, 0.0f});
  pass(between, to, {0.0f, 1.0f});
}

void Shadow::bindDepth(const Shader& shader, const ShadowFrame& frame) const {
  bindTexture(0, depth_);
  glBindSampler(0, compareSampler_);
  shader.set("shadowDepth", 0);
  shader.set("shadowFromWorld", toGlm(frame.shadowFromWorld));
  shader.set("shadowTexel", static_cast<float>(frame.width / kShadowMapSize));
  shader.set("shadowOn", frame.isEmpty ? 0.0f : 1.0f);
}

void Shadow::drawOnGround(const ShadowFrame& frame, const glm::mat4& clipFromWorld, float strength,
                          float contactHeight) const {
  groundShader_->use();
  groundShader_->set("clipFromWorld", clipFromWorld);
  groundShader_->set("worldFromShadow", toGlm(frame.shadowFromWorld.inverse()));
  groundShader_->set("shadowPlaneDepth", toGlm(frame.planeDepth));
  groundShader_->set("usedMin", toGlm(frame.usedMin));
  groundShader_->set("usedMax", toGlm(frame.usedMax));
  groundShader_->set("shadowMask", 0);
  groundShader_->set("shadowSmall", 1);
  groundShader_->set("shadowSmaller", 2);
  // Standard deviation of the edge in the three maps, metres.
  const glm::vec3 spread(1.0f / kMaskSize, kSmallSpread / kSmallSize, kSmallerSpread / kSmallerSize);
  groundShader_->set("shadowSpread", spread * static_cast<float>(frame.width));
  groundShader_->set("shadowRange", static_cast<float>(frame.depth));
  groundShader_->set("strength", strength);
  groundShader_->set("contactHeight", contactHeight);
  glBindSampler(0, 0);
  bindTexture(0, mask_.texture);
  bindTexture(1, small_.texture);
  bindTexture(2, smaller_.texture);
  glBindVertexArray(noVertices_);
  glEnable(GL_BLEND);
  glBlendFunc(GL_ZERO, GL_SRC_COLOR);
  glDepthMask(GL_FALSE);
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  glDepthMask(GL_TRUE);
  glDisable(GL_BLEND);
}

}  // namespace limber::render
