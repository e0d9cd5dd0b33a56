// SPDX-License-Identifier: MIT
// A skin on the graphics card: vertices, triangles and textures are uploaded once, the bones' matrices each frame.
#pragma once

#include <memory>
#include <tuple>
#include <vector>

#include "render/draw_list.h"
#include "render/gl_handle.h"
#include "render/shader.h"

namespace limber::render {

class SkinMesh {
 public:
  explicit SkinMesh(std::shared_ptr<const Skin> skin);

  bool isOf(const std::shared_ptr<const Skin>& skin) const { return skin_.lock() == skin; }

  /// Sets the pose to draw next. Positions are relative to `centre`, subtracted in double. Bones are in a texture, of
  /// which OpenGL 3.3 guarantees 1024 rows of 256 bones.
  void placeBones(const DrawSkin& drawn, const Eigen::Vector3d& centre) { placeBones(drawn, centre, drawn.tints); }
  /// The same with other tints, one for each bone.
  void placeBones(const DrawSkin& drawn, const Eigen::Vector3d& centre, const std::vector<Color>& tints);

  /// Parts of the surfaces.
  enum class Part {
    Solid,    ///< opaque
    Blended,  ///< translucent, in the file's order; to be drawn last, without writing depth
    Outline,  ///< more than half opaque, for depth and shadows
    Rim,      ///< back faces of Outline
  };
  bool hasBlended() const;

  /// Draws one part. A shader with skin.vert must be in use. Changes face culling, and texture units 1 and 2.
  void draw(const Shader& shader, Part part) const;

 private:
  /// Triangles of any surface with the same material and bone count.
  struct Batch {
    int material = -1;
    int influences = 1;
    bool isMirrored = false;
    std::size_t firstIndex = 0;
    std::size_t indexCount = 0;

    auto look() const { return std::tuple(material, influences, isMirrored); }
  };
  struct Material {
    glm::vec4 color{0.8f, 0.8f, 0.8f, 1.0f};
    SkinAlpha alpha = SkinAlpha::Opaque;
    float alphaCutoff = 0.5f;
    GLuint texture = 0;
    bool isDoubleSided = false;
  };
  static glm::vec2 alphaRange(const Material& material, Part part);
  void uploadTriangles(const Skin& skin);
  void uploadTextures(const Skin& skin);

  std::weak_ptr<const Skin> skin_;
  VertexArrayHandle vertexArray_;
  BufferHandle vertices_, indices_;
  TextureHandle bones_;
  std::vector<TextureHandle> textures_;
  std::vector<Material> materials_;  // the default one first
  std::vector<Batch> batches_;
  std::vector<glm::vec4> texels_;
};

}  // namespace limber::render
