// SPDX-License-Identifier: MIT
// OpenGL names that free themselves. Only for .cpp files behind the renderer's door.
#pragma once

#include <glad/gl.h>

#include <utility>

namespace limber::render {

/// Owns one OpenGL name; movable. The context it was made in must be current when it dies.
template <void (*destroy)(GLuint)>
class GlHandle {
 public:
  GlHandle() = default;
  explicit GlHandle(GLuint name) : name_(name) {}
  GlHandle(GlHandle&& other) noexcept : name_(std::exchange(other.name_, 0)) {}
  GlHandle& operator=(GlHandle&& other) noexcept {
    std::swap(name_, other.name_);
    return *this;
  }
  ~GlHandle() {
    if (name_ != 0) destroy(name_);
  }
  operator GLuint() const { return name_; }

 private:
  GLuint name_ = 0;
};

inline void destroyBuffer(GLuint name) { glDeleteBuffers(1, &name); }
inline void destroyVertexArray(GLuint name) { glDeleteVertexArrays(1, &name); }
inline void destroyTexture(GLuint name) { glDeleteTextures(1, &name); }
inline void destroySampler(GLuint name) { glDeleteSamplers(1, &name); }
inline void destroyFramebuffer(GLuint name) { glDeleteFramebuffers(1, &name); }
inline void destroyRenderbuffer(GLuint name) { glDeleteRenderbuffers(1, &name); }
inline void destroyShader(GLuint name) { glDeleteShader(name); }
inline void destroyProgram(GLuint name) { glDeleteProgram(name); }

using BufferHandle = GlHandle<destroyBuffer>;
using VertexArrayHandle = GlHandle<destroyVertexArray>;
using TextureHandle = GlHandle<destroyTexture>;
using SamplerHandle = GlHandle<destroySampler>;
using FramebufferHandle = GlHandle<destroyFramebuffer>;
using RenderbufferHandle = GlHandle<destroyRenderbuffer>;
using ShaderHandle = GlHandle<destroyShader>;
using ProgramHandle = GlHandle<destroyProgram>;

template <typename Handle>
Handle makeHandle(void(GLAD_API_PTR* generate)(GLsizei, GLuint*)) {
  GLuint name = 0;
  generate(1, &name);
  return Handle(name);
}
inline BufferHandle makeBuffer() { return makeHandle<BufferHandle>(glGenBuffers); }
inline VertexArrayHandle makeVertexArray() { return makeHandle<VertexArrayHandle>(glGenVertexArrays); }
inline TextureHandle makeTexture() { return makeHandle<TextureHandle>(glGenTextures); }
inline SamplerHandle makeSampler() { return makeHandle<SamplerHandle>(glGenSamplers); }
inline FramebufferHandle makeFramebuffer() { return makeHandle<FramebufferHandle>(glGenFramebuffers); }
inline RenderbufferHandle makeRenderbuffer() { return makeHandle<RenderbufferHandle>(glGenRenderbuffers); }

}  // namespace limber::render
