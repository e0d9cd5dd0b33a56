// SPDX-License-Identifier: MIT
// A unit block with round edges, drawn in many instances, for links that are not drawn as capsules.
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <span>

#include "render/gl_handle.h"

namespace limber::render {

/// Vertex attributes of one block (link_blocks.h).
struct BlockInstance {
  glm::vec3 start;
  float rounding;
  glm::vec3 end;
  std::uint32_t color;  ///< red in the lowest byte, then green, blue, alpha
  glm::vec3 side;
  glm::vec2 startHalf, endHalf;
};

class BlockMesh {
 public:
  BlockMesh();

  /// Replaces the instances on the graphics card.
  void upload(std::span<const BlockInstance> instances);
  /// Draws uploaded instances [0, count).
  void draw(std::size_t count) const;

 private:
  VertexArrayHandle vertexArray_;
  BufferHandle vertices_, indices_, instances_;
  int indexCount_ = 0;
};

}  // namespace limber::render
