// SPDX-License-Identifier: MIT
#include "render/skin_mesh.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "limber/scene/skin.h"
#include "render/convert.h"

namespace limber::render {

namespace {

constexpr GLuint kBoneUnit = 1, kColorUnit = 2;
constexpr std::size_t kBoneColumns = 1024;  // texels in a row; skin.vert has the same number
constexpr std::size_t kMost = SkinSurface::kMaxInfluences;
constexpr float kWhole = 0.98f;            // least alpha of a blended material that counts as opaque
constexpr float kNothing = 1.0f / 512.0f;  // largest alpha that counts as invisible
constexpr float kNoBound = 1e6f;

struct SkinVertex {
  Eigen::Vector3f position, normal;
  Eigen::Vector2f textureCoordinate;
  std::array<std::uint32_t, kMost> bones;
  std::array<float, kMost> weights;
};

SkinVertex vertexOf(const SkinSurface& surface, std::size_t i, std::size_t firstBone) {
  SkinVertex vertex{surface.positions[i], surface.normals[i], Eigen::Vector2f::Zero(), {}, {}};
  if (!surface.textureCoordinates.empty()) vertex.textureCoordinate = surface.textureCoordinates[i];
  vertex.bones.fill(static_cast<std::uint32_t>(firstBone));
  if (surface.influences == 0) vertex.weights[0] = 1.0f;
  const auto count = static_cast<std::size_t>(surface.influences);
  for (std::size_t k = 0; k < count; ++k) {
    vertex.bones[k] += surface.boneOf[i * count + k];
    vertex.weights[k] = surface.weights[i * count + k];
  }
  return vertex;
}

void describeVertices() {
  const auto numbers = [](GLuint location, GLint size, std::size_t offset) {
    setAttribute(location, size, GL_FLOAT, sizeof(SkinVertex), offset);
  };
  const auto places = [](GLuint location, std::size_t offset) {
    glVertexAttribIPointer(location, 4, GL_UNSIGNED_INT, sizeof(SkinVertex), reinterpret_cast<const void*>(offset));
    glEnableVertexAttribArray(location);
  };
  numbers(0, 3, offsetof(SkinVertex, position));
  numbers(1, 3, offsetof(SkinVertex, normal));
  numbers(2, 2, offsetof(SkinVertex, textureCoordinate));
  places(3, offsetof(SkinVertex, bones));
  places(4, offsetof(SkinVertex, bones) + 4 * sizeof(std::uint32_t));
  numbers(5, 4, offsetof(SkinVertex, weights));
  numbers(6, 4, offsetof(SkinVertex, weights) + 4 * sizeof(float));
}

/// The colour converted as by the shaders' toLinear, times alpha.
glm::vec4 linearTint(const Color& color) {
  const auto linear = [&](float v) { return color.alpha * v * v; };
  return {linear(color.red), linear(color.green), linear(color.blue), color.alpha};
}

}  // namespace

SkinMesh::SkinMesh(std::shared_ptr<const Skin> skin)
    : skin_(skin), vertexArray_(makeVertexArray()), vertices_(makeBuffer()), indices_(makeBuffer()),
      bones_(makeTexture()) {
  glBindTexture(GL_TEXTURE_2D, bones_);
  setSampling(GL_NEAREST, GL_CLAMP_TO_EDGE);
  glBindTexture(GL_TEXTURE_2D, 0);
  uploadTriangles(*skin);
  uploadTextures(*skin);
}

/// Joins surfaces with the same look into batches, so that a robot of a thousand shapes needs few draw calls.
void SkinMesh::uploadTriangles(const Skin& skin) {
  std::vector<SkinVertex> vertices;
  std::vector<std::size_t> firstVertex, order;
  std::vector<Batch> looks;
  std::size_t firstBone = 0;
  for (const SkinSurface& surface : skin.surfaces) {
    order.push_back(firstVertex.size());
    firstVertex.push_back(vertices.size());
    looks.push_back({.material = surface.material,
                     .influences = surface.influences == 0   ? 1
                                   : surface.influences <= 4 ? 4
                                                             : 8,
                     .isMirrored = isMirrored(surface)});
    for (std::size_t i = 0; i < surface.positions.size(); ++i) vertices.push_back(vertexOf(surface, i, firstBone));
    firstBone += surface.bones.size();
  }
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return looks[i].look(); });
  std::vector<std::uint32_t> indices;
  for (const std::size_t i : order) {
    const std::vector<std::uint32_t>& triangles = skin.surfaces[i].triangles;
    if (batches_.empty() || batches_.back().look() != looks[i].look()) {
      batches_.push_back(looks[i]);
      batches_.back().firstIndex = indices.size();
    }
    for (const std::uint32_t vertex : triangles) indices.push_back(static_cast<std::uint32_t>(firstVertex[i]) + vertex);
    batches_.back().indexCount += triangles.size();
  }
  glBindVertexArray(vertexArray_);
  uploadOnce(GL_ARRAY_BUFFER, vertices_, vertices);
  uploadOnce(GL_ELEMENT_ARRAY_BUFFER, indices_, indices);
  describeVertices();
  glBindVertexArray(0);
}

void SkinMesh::uploadTextures(const Skin& skin) {
  GLint mostSize = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &mostSize);
  glActiveTexture(GL_TEXTURE0 + kColorUnit);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  for (const SkinTexture& texture : skin.textures) {
    textures_.emplace_back();
    if (texture.width < 1 || texture.height < 1 || std::max(texture.width, texture.height) > mostSize) continue;
    textures_.back() = makeTexture();
    glBindTexture(GL_TEXTURE_2D, textures_.back());
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, texture.width, texture.height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 texture.pixels.data());
    glGenerateMipmap(GL_TEXTURE_2D);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  }
  glBindTexture(GL_TEXTURE_2D, 0);
  glActiveTexture(GL_TEXTURE0);

  materials_.emplace_back();
  for (const SkinMaterial& material : skin.materials) {
    Material& ready = materials_.emplace_back();
    ready.color = {toGlm(material.color.head<3>()), material.color.w()};
    ready.alpha = material.alpha;
    ready.alphaCutoff = material.alphaCutoff;
    if (material.texture >= 0) ready.texture = textures_[material.texture];
    ready.isDoubleSided = material.isDoubleSided;
  }
}

void SkinMesh::placeBones(const DrawSkin& drawn, const Eigen::Vector3d& centre, const std::vector<Color>& tints) {
  texels_.clear();
  for (std::size_t i = 0; i < drawn.worldFromSkin.size(); ++i) {
    Eigen::Matrix4d matrix = drawn.worldFromSkin[i].matrix();
    matrix.topRightCorner<3, 1>() -= centre;
    const glm::mat4 rows = toGlm(matrix.transpose());
    texels_.insert(texels_.end(), {rows[0], rows[1], rows[2], linearTint(tints[i])});
  }
  const std::size_t columns = std::min(texels_.size(), kBoneColumns),
                    rows = (texels_.size() + kBoneColumns - 1) / kBoneColumns;
  texels_.resize(columns * rows);
  glActiveTexture(GL_TEXTURE0 + kBoneUnit);
  glBindTexture(GL_TEXTURE_2D, bones_);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, static_cast<GLsizei>(columns), static_cast<GLsizei>(rows), 0, GL_RGBA,
               GL_FLOAT, texels_.data());
  glActiveTexture(GL_TEXTURE0);
}

bool SkinMesh::hasBlended() const {
  return std::ranges::any_of(materials_, [](const Material& m) { return m.alpha == SkinAlpha::Blend; });
}

/// The range [x, y) of alpha that is drawn.
glm::vec2 SkinMesh::alphaRange(const Material& material, Part part) {
  switch (material.alpha) {
    case SkinAlpha::Opaque: return {-kNoBound, kNoBound};
    case SkinAlpha::Mask: return {material.alphaCutoff, kNoBound};
    case SkinAlpha::Blend: break;
  }
  if (part == Part::Blended) return {kNothing, kWhole};
  return {part == Part::Solid ? kWhole : 0.5f, kNoBound};
}

void SkinMesh::draw(const Shader& shader, Part part) const {
  glBindVertexArray(vertexArray_);
  glActiveTexture(GL_TEXTURE0 + kBoneUnit);
  glBindTexture(GL_TEXTURE_2D, bones_);
  glActiveTexture(GL_TEXTURE0 + kColorUnit);
  glBindSampler(kColorUnit, 0);
  shader.set("bones", static_cast<int>(kBoneUnit));
  shader.set("baseColor", static_cast<int>(kColorUnit));
  for (const Batch& batch : batches_) {
    const Material& material = materials_[batch.material + 1];
    if (part == Part::Blended && material.alpha != SkinAlpha::Blend) continue;
    shader.set("influences", batch.influences);
    shader.set("materialColor", material.color);
    shader.set("alphaRange", alphaRange(material, part));
    shader.set("isTextured", material.texture != 0 ? 1.0f : 0.0f);
    glBindTexture(GL_TEXTURE_2D, material.texture);
    glFrontFace(batch.isMirrored ? GL_CW : GL_CCW);
    const auto drawFaces = [&] {
      glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(batch.indexCount), GL_UNSIGNED_INT,
                     reinterpret_cast<const void*>(batch.firstIndex * sizeof(std::uint32_t)));
    };
    if (part == Part::Rim) {
      glEnable(GL_CULL_FACE);
      glCullFace(GL_FRONT);
      drawFaces();
      glCullFace(GL_BACK);
      continue;
    }
    const bool areFarFirst = part == Part::Blended && material.isDoubleSided;
    if (areFarFirst) {
      glCullFace(GL_FRONT);
      drawFaces();
      glCullFace(GL_BACK);
    }
    (material.isDoubleSided && !areFarFirst ? glDisable : glEnable)(GL_CULL_FACE);
    drawFaces();
  }
  glFrontFace(GL_CCW);
  glEnable(GL_CULL_FACE);
  glBindTexture(GL_TEXTURE_2D, 0);
  glActiveTexture(GL_TEXTURE0);
}

}  // namespace limber::render
