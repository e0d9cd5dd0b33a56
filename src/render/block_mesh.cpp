// SPDX-License-Identifier: MIT
#include "render/block_mesh.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

namespace limber::render {

namespace {

constexpr int kEdgeSteps = 2;  // per quarter turn around an edge

// The normal, and the corner to which it belongs: coordinates are -1 or 1, y along the block.
struct BlockVertex {
  glm::vec3 normal, corner;
};

/// A ball cut into eight parts at the corners; edges and sides join them. Rings are around y.
void makeBlock(std::vector<BlockVertex>& vertices, std::vector<std::uint16_t>& indices) {
  constexpr int kAround = 4 * (kEdgeSteps + 1), kRings = 2 * (kEdgeSteps + 1);
  constexpr double kQuarter = 0.5 * std::numbers::pi;
  for (int ring = 0; ring < kRings; ++ring) {
    const int half = ring / (kEdgeSteps + 1);
    const double latitude = kQuarter * (half - 1 + static_cast<double>(ring % (kEdgeSteps + 1)) / kEdgeSteps);
    for (int i = 0; i < kAround; ++i) {
      const int quarter = i / (kEdgeSteps + 1);
      const double longitude = kQuarter * (quarter + static_cast<double>(i % (kEdgeSteps + 1)) / kEdgeSteps);
      vertices.push_back({glm::vec3(std::cos(latitude) * std::cos(longitude), std::sin(latitude),
                                    std::cos(latitude) * std::sin(longitude)),
                          glm::vec3(quarter == 0 || quarter == 3 ? 1.0f : -1.0f, half == 0 ? -1.0f : 1.0f,
                                    quarter < 2 ? 1.0f : -1.0f)});
    }
  }
  const auto at = [&](int ring, int i) { return static_cast<std::uint16_t>(ring * kAround + i % kAround); };
  for (int ring = 0; ring + 1 < kRings; ++ring)
    for (int i = 0; i < kAround; ++i) {
      const std::uint16_t a = at(ring, i), b = at(ring, i + 1), c = at(ring + 1, i), d = at(ring + 1, i + 1);
      indices.insert(indices.end(), {a, c, d, a, d, b});
    }
  // Both ends: the four corners of the first and of the last ring.
  constexpr int kCorner = kEdgeSteps + 1;
  const auto corner = [&](int ring, int i) { return at(ring, i * kCorner); };
  for (const auto& [i, j, k] : {std::array{0, 1, 2}, std::array{0, 2, 3}}) {
    indices.insert(indices.end(), {corner(0, i), corner(0, j), corner(0, k)});
    indices.insert(indices.end(), {corner(kRings - 1, i), corner(kRings - 1, k), corner(kRings - 1, j)});
  }
}

}  // namespace

BlockMesh::BlockMesh()
    : vertexArray_(makeVertexArray()), vertices_(makeBuffer()), indices_(makeBuffer()), instances_(makeBuffer()) {
  std::vector<BlockVertex> vertices;
  std::vector<std::uint16_t> indices;
  makeBlock(vertices, indices);
  indexCount_ = static_cast<int>(indices.size());
  glBindVertexArray(vertexArray_);
  uploadOnce(GL_ARRAY_BUFFER, vertices_, vertices);
  uploadOnce(GL_ELEMENT_ARRAY_BUFFER, indices_, indices);
  setAttribute(0, 3, GL_FLOAT, sizeof(BlockVertex), offsetof(BlockVertex, normal));
  setAttribute(1, 3, GL_FLOAT, sizeof(BlockVertex), offsetof(BlockVertex, corner));
  glBindBuffer(GL_ARRAY_BUFFER, instances_);
  setAttribute(2, 4, GL_FLOAT, sizeof(BlockInstance), offsetof(BlockInstance, start), 1);
  setAttribute(3, 3, GL_FLOAT, sizeof(BlockInstance), offsetof(BlockInstance, end), 1);
  setAttribute(4, 4, GL_UNSIGNED_BYTE, sizeof(BlockInstance), offsetof(BlockInstance, color), 1);
  setAttribute(5, 3, GL_FLOAT, sizeof(BlockInstance), offsetof(BlockInstance, side), 1);
  setAttribute(6, 4, GL_FLOAT, sizeof(BlockInstance), offsetof(BlockInstance, startHalf), 1);
  glBindVertexArray(0);
}

void BlockMesh::upload(std::span<const BlockInstance> instances) {
  glBindBuffer(GL_ARRAY_BUFFER, instances_);
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(instances.size_bytes()), instances.data(), GL_STREAM_DRAW);
}

void BlockMesh::draw(std::size_t count) const {
  if (count == 0) return;
  glBindVertexArray(vertexArray_);
  glDrawElementsInstanced(GL_TRIANGLES, indexCount_, GL_UNSIGNED_SHORT, nullptr, static_cast<GLsizei>(count));
}

}  // namespace limber::render
