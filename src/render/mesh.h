// SPDX-License-Identifier: MIT
// A unit capsule along y in a few levels of detail, drawn in many instances.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <span>

#include "render/gl_handle.h"

namespace limber::render {

/// Vertex attributes of one capsule.
struct Instance {
  glm::vec3 start;
  float radius;
  glm::vec3 end;
  std::uint32_t color;  ///< red in the lowest byte, then green, blue, alpha
};

/// Levels from coarse to fine, each for capsules whose radius is at most radiusInPixels.
struct DetailLevel {
  int segments;  ///< around the axis
  int rings;     ///< per hemisphere
  float radiusInPixels;
};
inline constexpr std::array<DetailLevel, 6> kDetailLevels = {
    {{4, 1, 1.2f}, {6, 1, 2.5f}, {10, 2, 6.0f}, {14, 3, 16.0f}, {22, 5, 50.0f}, {36, 9, 1e30f}}};

int detailFor(double radiusInPixels);

class CapsuleMesh {
 public:
  CapsuleMesh();

  /// Replaces the instances on the graphics card.
  void upload(std::span<const Instance> instances);
  /// Draws uploaded instances [first, first + count).
  void draw(int detail, std::size_t first, std::size_t count) const;

 private:
  struct Range {
    std::size_t firstIndex = 0;
    int indexCount = 0;
  };
  VertexArrayHandle vertexArray_;
  BufferHandle vertices_, indices_, instances_;
  std::array<Range, kDetailLevels.size()> ranges_;
  std::size_t capacity_ = 0;  // bytes of the instance buffer
};

}  // namespace limber::render
