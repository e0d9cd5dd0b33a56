// SPDX-License-Identifier: MIT
// OpenGL 3.3 core by glad, or OpenGL ES 3.0, which is WebGL 2 in a browser. For the .cpp files of this room, which use
// what both have; the differences are here.
#pragma once

#ifdef __EMSCRIPTEN__
#include <GLES3/gl3.h>
#define GLAD_API_PTR
#else
#include <glad/gl.h>
#endif

#include <mutex>
#include <string_view>

namespace limber::render {

#ifdef __EMSCRIPTEN__

inline constexpr bool kIsEmbedded = true;
inline constexpr const char* kGlName = "OpenGL ES 3.0 (WebGL 2)";
/// Stands for the first line of a shader, "#version 330 core".
inline constexpr std::string_view kShaderVersion =
    "#version 300 es\nprecision highp float; precision highp int; precision highp sampler2D; "
    "precision highp sampler2DShadow;";
/// Beyond the sides of a map whose outermost texels are zero, as with a border of zero.
inline constexpr GLint kClampToZero = GL_CLAMP_TO_EDGE;

template <typename Load>
bool hasGl(Load) {
  return true;  // the page has tested it
}
inline void setDesktopDefaults() {}
inline void clampDepth(bool) {}

#else

inline constexpr bool kIsEmbedded = false;
inline constexpr const char* kGlName = "OpenGL 3.3";
inline constexpr std::string_view kShaderVersion = "#version 330 core";
inline constexpr GLint kClampToZero = GL_CLAMP_TO_BORDER;

/// Loads the functions of OpenGL 3.3; false without them. The function pointers are global and valid for the context of
/// any thread. They are loaded once, so that a thread does not overwrite them while another one draws.
template <typename Load>
bool hasGl(Load load) {
  static std::mutex loading;
  static bool isLoaded = false;  // guarded
  const std::lock_guard lock(loading);
  if (!isLoaded) return isLoaded = load != nullptr && gladLoadGL(load) >= GLAD_MAKE_VERSION(3, 3);
  GLint major = 0, minor = 0;
  glGetIntegerv(GL_MAJOR_VERSION, &major);
  glGetIntegerv(GL_MINOR_VERSION, &minor);
  return GLAD_MAKE_VERSION(major, minor) >= GLAD_MAKE_VERSION(3, 3);
}

/// State that OpenGL ES does not have.
inline void setDesktopDefaults() {
  glDisable(GL_FRAMEBUFFER_SRGB);  // the shaders write sRGB
  glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
}

/// Keeps surfaces in front of the near and behind the far plane. OpenGL ES cuts them off.
inline void clampDepth(bool isOn) { (isOn ? glEnable : glDisable)(GL_DEPTH_CLAMP); }

#endif

}  // namespace limber::render
