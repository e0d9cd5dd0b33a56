// SPDX-License-Identifier: MIT
#include "render/canvas.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "render/gl_handle.h"

namespace limber::render {

namespace {

constexpr int kCanvasSamples = 4;
constexpr double kCoarse = 2.0 / 3.0;         // width and height of a coarse picture, relative to the whole
constexpr std::size_t kMostCompared = 20000;  // capsules: comparing more costs too much

Smoothing bestOfDriver() {
  GLint samples = 0;
  glGetIntegerv(GL_MAX_SAMPLES, &samples);
  return samples >= 2 ? Smoothing::Sampled : Smoothing::Filtered;
}

/// The view in a picture of fewer pixels.
View coarser(View view) {
  view.width = std::max(static_cast<int>(std::lround(kCoarse * view.width)), 1);
  view.height = std::max(static_cast<int>(std::lround(kCoarse * view.height)), 1);
  return view;
}

bool isWorthComparing(const DrawList& list) { return list.capsules.size() <= kMostCompared; }

}  // namespace

/// A picture with one sample per pixel, as a texture.
struct Canvas::Plain {
  int pixelsAcross = 0, pixelsDown = 0;
  TextureHandle color = makeTexture();
  RenderbufferHandle depth = makeRenderbuffer();
  FramebufferHandle framebuffer = makeFramebuffer();

  int width() const { return pixelsAcross; }
  int height() const { return pixelsDown; }

  static std::unique_ptr<Plain> create(int width, int height, std::string& fault) {
    while (glGetError() != GL_NO_ERROR) {
    }
    auto plain = std::make_unique<Plain>();
    plain->pixelsAcross = width;
    plain->pixelsDown = height;
    glBindTexture(GL_TEXTURE_2D, plain->color);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    setSampling(GL_LINEAR, GL_CLAMP_TO_EDGE);
    glBindTexture(GL_TEXTURE_2D, 0);
    glBindRenderbuffer(GL_RENDERBUFFER, plain->depth);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH24_STENCIL8, width, height);
    glBindFramebuffer(GL_FRAMEBUFFER, plain->framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, plain->color, 0);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER, plain->depth);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE && glGetError() == GL_NO_ERROR)
      return plain;
    fault =
        "the graphics driver has no memory for a picture of " + std::to_string(width) + " x " + std::to_string(height);
    return nullptr;
  }
};

Canvas::Canvas(Renderer& renderer, std::filesystem::path shaderFolder)
    : renderer_(renderer), shaderFolder_(std::move(shaderFolder)), best_(bestOfDriver()),
      choice_(renderer.isSoftware() ? Smoothing::None : best_, best_), noVertices_(makeVertexArray()) {}

Canvas::~Canvas() = default;

bool Canvas::show(const DrawList& list, const View& view, int left, int bottom, bool isStill, unsigned framebuffer) {
  const Smoothing wanted = isStill ? best_ : choice_.moving();
  const bool isSame = source_ != 0 && view == view_ && isWorthComparing(list) && list == list_;
  const bool draws = !isSame || (isStill && kept_ != best_);
  if (draws) {
    draw(wanted, list, view);
    view_ = view;
    if (isWorthComparing(list)) list_ = list;
  }
  if (source_ == 0) return draws;
  if (kept_ == Smoothing::Filtered) {
    showFiltered(view, left, bottom, framebuffer);
    return draws;
  }
  glBindFramebuffer(GL_READ_FRAMEBUFFER, source_);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer);
  if (kIsEmbedded && framebuffer == 0) clearShown();
  const bool isCoarse = kept_ == Smoothing::Coarse;
  const View drawn = isCoarse ? coarser(view) : view;
  glBlitFramebuffer(0, 0, drawn.width, drawn.height, left, bottom, left + view.width, bottom + view.height,
                    GL_COLOR_BUFFER_BIT, isCoarse ? GL_LINEAR : GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  return draws;
}

/// A browser clears its canvas at the first draw of a frame, for which it does not take a copy: it would then wipe out
/// the picture at the next draw.
void Canvas::clearShown() {
  glDisable(GL_SCISSOR_TEST);
  glClearColor(0.0f, 0.0f, 0.0f, 1.0f);
  glClear(GL_COLOR_BUFFER_BIT);
}

void Canvas::draw(Smoothing smoothing, const DrawList& list, const View& whole) {
  const View view = smoothing == Smoothing::Coarse ? coarser(whole) : whole;
  kept_ = smoothing;
  source_ = 0;
  fault_.clear();
  const auto fits = [&](const auto& target) {
    return target && target->width() == view.width && target->height() == view.height;
  };
  if (smoothing == Smoothing::Sampled) {
    if (!fits(sampled_)) {
      sampled_.reset();  // first, to free its memory
      sampled_ = OffscreenTarget::create(view.width, view.height, fault_, kCanvasSamples);
    }
    if (!sampled_) return;
    renderer_.draw(list, view, sampled_->framebuffer());
    source_ = sampled_->resolve();
  } else {
    if (!fits(plain_)) {
      plain_.reset();
      plain_ = Plain::create(view.width, view.height, fault_);
    }
    if (!plain_) return;
    renderer_.draw(list, view, plain_->framebuffer);
    source_ = plain_->framebuffer;
  }
}

void Canvas::showFiltered(const View& view, int left, int bottom, unsigned framebuffer) {
  if (!filter_) filter_ = Shader::load(shaderFolder_, "fullscreen.vert", "fxaa.frag", fault_);
  if (!filter_) return;
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glViewport(left, bottom, view.width, view.height);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_BLEND);
  filter_->use();
  filter_->set("picture", 0);
  filter_->set("texel", glm::vec2(1.0f / static_cast<float>(view.width), 1.0f / static_cast<float>(view.height)));
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, plain_->color);
  glBindVertexArray(noVertices_);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glBindVertexArray(0);
  glBindTexture(GL_TEXTURE_2D, 0);
  glUseProgram(0);
}

}  // namespace limber::render
