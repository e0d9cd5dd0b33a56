// SPDX-License-Identifier: MIT
#include "render/shell_mesh.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "render/convert.h"

namespace limber::render {

namespace {

constexpr float kStripeCells = 2.0f;  // distance of stripes

struct ShellVertex {
  Eigen::Vector3f position, normal;
  float beyond;
};

/// Splits a vertex between faces of different kinds into one for each kind.
class ShellVertices {
 public:
  ShellVertices(const ReachShell& shell, const Eigen::Vector3d& middle)
      : shell_(shell), middle_(middle), placeOf_(kKinds * shell.vertices.size(), -1) {}

  std::uint32_t placeOf(std::uint32_t vertex, Beyond beyond) {
    int& place = placeOf_[kKinds * vertex + static_cast<int>(beyond)];
    if (place < 0) {
      place = static_cast<int>(vertices.size());
      vertices.push_back({(shell_.vertices[vertex] - middle_).cast<float>(), shell_.normals[vertex].cast<float>(),
                          static_cast<float>(beyond)});
    }
    return static_cast<std::uint32_t>(place);
  }

  std::vector<ShellVertex> vertices;

 private:
  static constexpr std::size_t kKinds = 3;
  const ReachShell& shell_;
  Eigen::Vector3d middle_;
  std::vector<int> placeOf_;
};

}  // namespace

ShellMesh::ShellMesh(std::shared_ptr<const ReachShell> shell)
    : shell_(shell), vertexArray_(makeVertexArray()), vertices_(makeBuffer()), indices_(makeBuffer()),
      stripe_(kStripeCells * static_cast<float>(shell->edge)), isPlanar_(shell->isPlanar) {
  middle_ = 0.5 * (shell->boundsMin + shell->boundsMax);
  ShellVertices made(*shell, middle_);
  std::vector<std::uint32_t> indices;
  indices.reserve(3 * shell->triangles.size());
  for (std::size_t i = 0; i < shell->triangles.size(); ++i)
    for (const std::uint32_t vertex : shell->triangles[i]) indices.push_back(made.placeOf(vertex, shell->beyond[i]));
  indexCount_ = static_cast<GLsizei>(indices.size());
  glBindVertexArray(vertexArray_);
  uploadOnce(GL_ARRAY_BUFFER, vertices_, made.vertices);
  uploadOnce(GL_ELEMENT_ARRAY_BUFFER, indices_, indices);
  setAttribute(0, 3, GL_FLOAT, sizeof(ShellVertex), offsetof(ShellVertex, position));
  setAttribute(1, 3, GL_FLOAT, sizeof(ShellVertex), offsetof(ShellVertex, normal));
  setAttribute(2, 1, GL_FLOAT, sizeof(ShellVertex), offsetof(ShellVertex, beyond));
  glBindVertexArray(0);
}

void ShellMesh::draw(const Shader& shader, const Eigen::Vector3d& centre) const {
  if (indexCount_ == 0) return;
  shader.set("middle", toGlm(middle_ - centre));
  shader.set("stripe", stripe_);
  glBindVertexArray(vertexArray_);
  const auto drawSide = [&] { glDrawElements(GL_TRIANGLES, indexCount_, GL_UNSIGNED_INT, nullptr); };
  if (isPlanar_) {
    glDisable(GL_CULL_FACE);
    drawSide();
    glEnable(GL_CULL_FACE);
    return;
  }
  glCullFace(GL_FRONT);
  drawSide();
  glCullFace(GL_BACK);
  drawSide();
}

}  // namespace limber::render
