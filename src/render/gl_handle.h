// SPDX-License-Identifier: MIT
// OpenGL names that are deleted automatically, and what all meshes do with buffers. For the .cpp files of this room.
#pragma once

#include <type_traits>
#include <utility>
#include <vector>

#include "render/gl.h"

namespace limber::render {

/// Owns one OpenGL name; movable. Its context must be current when it is destroyed.
/// `destroy` is the function, or function pointer, of OpenGL that deletes it.
template <auto& destroy>
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
    if (name_ == 0) return;
    if constexpr (std::is_invocable_v<decltype(destroy), GLuint>) destroy(name_);
    else destroy(1, &name_);
  }
  operator GLuint() const { return name_; }

 private:
  GLuint name_ = 0;
};

using BufferHandle = GlHandle<glDeleteBuffers>;
using VertexArrayHandle = GlHandle<glDeleteVertexArrays>;
using TextureHandle = GlHandle<glDeleteTextures>;
using SamplerHandle = GlHandle<glDeleteSamplers>;
using FramebufferHandle = GlHandle<glDeleteFramebuffers>;
using RenderbufferHandle = GlHandle<glDeleteRenderbuffers>;
using ShaderHandle = GlHandle<glDeleteShader>;
using ProgramHandle = GlHandle<glDeleteProgram>;

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

/// Sets how the bound texture is read between its texels and beyond its sides.
inline void setSampling(GLint filter, GLint wrap = GL_REPEAT) {
  for (const GLenum name : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER}) glTexParameteri(GL_TEXTURE_2D, name, filter);
  for (const GLenum name : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T}) glTexParameteri(GL_TEXTURE_2D, name, wrap);
}

/// Fills a buffer that does not change afterwards, and leaves it bound.
template <typename Element>
void uploadOnce(GLenum target, GLuint buffer, const std::vector<Element>& elements) {
  glBindBuffer(target, buffer);
  glBufferData(target, static_cast<GLsizeiptr>(elements.size() * sizeof(Element)), elements.data(), GL_STATIC_DRAW);
}

/// Lets the bound vertex array read an attribute of `size` numbers from the bound buffer, bytes as [0, 1]. divisor is 1
/// for attributes of instances.
inline void setAttribute(GLuint location, GLint size, GLenum type, std::size_t stride, std::size_t offset,
                         GLuint divisor = 0) {
  glVertexAttribPointer(location, size, type, type == GL_UNSIGNED_BYTE ? GL_TRUE : GL_FALSE,
                        static_cast<GLsizei>(stride), reinterpret_cast<const void*>(offset));
  glEnableVertexAttribArray(location);
  glVertexAttribDivisor(location, divisor);
}

}  // namespace limber::render
