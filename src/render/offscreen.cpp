// SPDX-License-Identifier: MIT
#include "render/offscreen.h"

#include <algorithm>

#include "render/gl_handle.h"

#ifdef LIMBER_HAVE_EGL
#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <cstring>
#endif

namespace limber::render {

#ifdef LIMBER_HAVE_EGL

struct OffscreenContext::Handles {
  EGLDisplay display = EGL_NO_DISPLAY;
  EGLSurface surface = EGL_NO_SURFACE;
  EGLContext context = EGL_NO_CONTEXT;

  /// The display is shared by the whole process and is not terminated, as that would destroy other contexts.
  ~Handles() {
    if (display == EGL_NO_DISPLAY) return;
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (context != EGL_NO_CONTEXT) eglDestroyContext(display, context);
    if (surface != EGL_NO_SURFACE) eglDestroySurface(display, surface);
  }

  /// A current 3.3 core context of an initialised display.
  bool makeContext(bool surfaceless) {
    if (!eglBindAPI(EGL_OPENGL_API)) return false;
    const EGLint configAttributes[] = {EGL_SURFACE_TYPE, surfaceless ? 0 : EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                                       EGL_OPENGL_BIT, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint configCount = 0;
    if (!eglChooseConfig(display, configAttributes, &config, 1, &configCount) || configCount < 1) return false;
    const EGLint contextAttributes[] = {
        EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
    context = eglCreateContext(display, config, EGL_NO_CONTEXT, contextAttributes);
    if (context == EGL_NO_CONTEXT) return false;
    if (!surfaceless) {
      const EGLint surfaceAttributes[] = {EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
      surface = eglCreatePbufferSurface(display, config, surfaceAttributes);
      if (surface == EGL_NO_SURFACE) return false;
    }
    return eglMakeCurrent(display, surface, surface, context);
  }
};

std::unique_ptr<OffscreenContext> OffscreenContext::create(std::string& error) {
  const char* extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  if (extensions && std::strstr(extensions, "EGL_MESA_platform_surfaceless")) {
    auto handles = std::make_unique<Handles>();
    handles->display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    if (handles->display != EGL_NO_DISPLAY && eglInitialize(handles->display, nullptr, nullptr) &&
        handles->makeContext(true))
      return std::unique_ptr<OffscreenContext>(new OffscreenContext(std::move(handles)));
  }
  auto handles = std::make_unique<Handles>();
  handles->display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
  if (handles->display != EGL_NO_DISPLAY && eglInitialize(handles->display, nullptr, nullptr) &&
      handles->makeContext(false))
    return std::unique_ptr<OffscreenContext>(new OffscreenContext(std::move(handles)));
  error = "no OpenGL 3.3 context can be made through EGL (on Debian the package libegl-mesa0 brings one)";
  return nullptr;
}

LoadFunction OffscreenContext::loader() { return eglGetProcAddress; }

#else

struct OffscreenContext::Handles {};

std::unique_ptr<OffscreenContext> OffscreenContext::create(std::string& error) {
  error = "this build has no EGL, and cannot draw without a window";
  return nullptr;
}

LoadFunction OffscreenContext::loader() { return nullptr; }

#endif

OffscreenContext::OffscreenContext(std::unique_ptr<Handles> handles) : handles_(std::move(handles)) {}
OffscreenContext::~OffscreenContext() = default;

struct OffscreenTarget::Buffers {
  int width = 0, height = 0, samples = 0;
  RenderbufferHandle color, depth, resolvedColor;
  FramebufferHandle drawn, resolved;
};

namespace {

RenderbufferHandle makeStorage(GLenum format, int samples, int width, int height) {
  RenderbufferHandle buffer = makeRenderbuffer();
  glBindRenderbuffer(GL_RENDERBUFFER, buffer);
  glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, width, height);
  return buffer;
}

bool attach(GLuint framebuffer, GLuint color, GLuint depth) {
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color);
  if (depth != 0) glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER, depth);
  return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

}  // namespace

std::unique_ptr<OffscreenTarget> OffscreenTarget::create(int width, int height, std::string& error, int mostSamples) {
  GLint driverSamples = 0, mostSize = 0;
  glGetIntegerv(GL_MAX_SAMPLES, &driverSamples);
  glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &mostSize);
  if (std::max(width, height) > mostSize) {
    error = "the graphics driver draws at most " + std::to_string(mostSize) + " pixels across";
    return nullptr;
  }
  for (int samples = std::min<int>(driverSamples, mostSamples); samples >= 0;
       samples = samples > 1 ? samples / 2 : samples - 1) {
    while (glGetError() != GL_NO_ERROR) {
    }
    auto buffers = std::make_unique<Buffers>();
    buffers->width = width;
    buffers->height = height;
    buffers->samples = samples;
    buffers->color = makeStorage(GL_RGBA8, samples, width, height);
    buffers->depth = makeStorage(GL_DEPTH24_STENCIL8, samples, width, height);
    buffers->resolvedColor = makeStorage(GL_RGBA8, 0, width, height);
    buffers->drawn = makeFramebuffer();
    buffers->resolved = makeFramebuffer();
    const bool complete =
        attach(buffers->drawn, buffers->color, buffers->depth) && attach(buffers->resolved, buffers->resolvedColor, 0);
    if (complete && glGetError() == GL_NO_ERROR)
      return std::unique_ptr<OffscreenTarget>(new OffscreenTarget(std::move(buffers)));
  }
  error =
      "the graphics driver has no memory for a picture of " + std::to_string(width) + " x " + std::to_string(height);
  return nullptr;
}

OffscreenTarget::OffscreenTarget(std::unique_ptr<Buffers> buffers) : buffers_(std::move(buffers)) {}
OffscreenTarget::~OffscreenTarget() = default;

unsigned OffscreenTarget::framebuffer() const { return buffers_->drawn; }
int OffscreenTarget::sampleCount() const { return buffers_->samples; }
int OffscreenTarget::width() const { return buffers_->width; }
int OffscreenTarget::height() const { return buffers_->height; }

unsigned OffscreenTarget::resolve() const {
  const Buffers& b = *buffers_;
  glBindFramebuffer(GL_READ_FRAMEBUFFER, b.drawn);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, b.resolved);
  glBlitFramebuffer(0, 0, b.width, b.height, 0, 0, b.width, b.height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glBindFramebuffer(GL_FRAMEBUFFER, b.resolved);
  return b.resolved;
}

}  // namespace limber::render
