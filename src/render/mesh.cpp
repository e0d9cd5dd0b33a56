// SPDX-License-Identifier: MIT
#include "render/mesh.h"

#include <cmath>
#include <cstddef>
#include <numbers>

namespace limber::render {

namespace {

// A vertex is a unit normal and the end it belongs to (0 start, 1 end); the shader stretches it to
//   end + radius * normal.
using Vertex = glm::vec4;

/// Rings from the pole at the start over both equators to the pole at the end; a pole is a ring of one point.
void appendCapsule(const DetailLevel& detail, std::vector<Vertex>& vertices, std::vector<std::uint16_t>& indices) {
  const auto base = static_cast<int>(vertices.size());
  const int segments = detail.segments, rings = detail.rings;
  for (int end = 0; end < 2; ++end)
    for (int ring = 0; ring <= rings; ++ring) {
      // Latitude: -90 degrees up to 0 for the start, 0 up to 90 for the end.
      const double latitude = 0.5 * std::numbers::pi * (end == 0 ? double(ring) / rings - 1.0 : double(ring) / rings);
      for (int i = 0; i < segments; ++i) {
        const double longitude = 2.0 * std::numbers::pi * i / segments;
        vertices.emplace_back(static_cast<float>(std::cos(latitude) * std::cos(longitude)),
                              static_cast<float>(std::sin(latitude)),
                              static_cast<float>(std::cos(latitude) * std::sin(longitude)), static_cast<float>(end));
      }
    }
  const int rowCount = 2 * (rings + 1);
  for (int row = 0; row + 1 < rowCount; ++row)
    for (int i = 0; i < segments; ++i) {
      const int next = (i + 1) % segments;
      const auto a = static_cast<std::uint16_t>(base + row * segments + i);
      const auto b = static_cast<std::uint16_t>(base + row * segments + next);
      const auto c = static_cast<std::uint16_t>(a + segments);
      const auto d = static_cast<std::uint16_t>(b + segments);
      if (row + 2 < rowCount) indices.insert(indices.end(), {a, c, d});  // at the end pole c and d are one point
      if (row > 0) indices.insert(indices.end(), {a, d, b});             // at the start pole a and b are one point
    }
}

}  // namespace

int detailFor(double radiusInPixels) {
  int detail = 0;
  while (radiusInPixels > kDetailLevels[detail].radiusInPixels) ++detail;
  return detail;
}

CapsuleMesh::CapsuleMesh()
    : vertexArray_(makeVertexArray()), vertices_(makeBuffer()), indices_(makeBuffer()), instances_(makeBuffer()) {
  std::vector<Vertex> vertices;
  std::vector<std::uint16_t> indices;
  for (std::size_t i = 0; i < kDetailLevels.size(); ++i) {
    ranges_[i].firstIndex = indices.size();
    appendCapsule(kDetailLevels[i], vertices, indices);
    ranges_[i].indexCount = static_cast<int>(indices.size() - ranges_[i].firstIndex);
  }
  glBindVertexArray(vertexArray_);
  uploadOnce(GL_ARRAY_BUFFER, vertices_, vertices);
  uploadOnce(GL_ELEMENT_ARRAY_BUFFER, indices_, indices);
  setAttribute(0, 4, GL_FLOAT, sizeof(Vertex), 0);
  glBindVertexArray(0);
}

void CapsuleMesh::upload(std::span<const Instance> instances) {
  const std::size_t size = instances.size_bytes();
  glBindBuffer(GL_ARRAY_BUFFER, instances_);
  if (size > capacity_) capacity_ = size + size / 2;
  // New storage each frame, so that the driver need not wait for the last frame.
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(capacity_), nullptr, GL_STREAM_DRAW);
  if (size > 0) glBufferSubData(GL_ARRAY_BUFFER, 0, static_cast<GLsizeiptr>(size), instances.data());
}

void CapsuleMesh::draw(int detail, std::size_t first, std::size_t count) const {
  if (count == 0) return;
  const Range& range = ranges_[detail];
  glBindVertexArray(vertexArray_);
  glBindBuffer(GL_ARRAY_BUFFER, instances_);
  const std::size_t base = first * sizeof(Instance);
  setAttribute(1, 4, GL_FLOAT, sizeof(Instance), base + offsetof(Instance, start), 1);
  setAttribute(2, 3, GL_FLOAT, sizeof(Instance), base + offsetof(Instance, end), 1);
  setAttribute(3, 4, GL_UNSIGNED_BYTE, sizeof(Instance), base + offsetof(Instance, color), 1);
  glDrawElementsInstanced(GL_TRIANGLES, range.indexCount, GL_UNSIGNED_SHORT,
                          reinterpret_cast<const void*>(range.firstIndex * sizeof(std::uint16_t)),
                          static_cast<GLsizei>(count));
}

}  // namespace limber::render
