// SPDX-License-Identifier: MIT
// A skin on the graphics card: vertices, triangles and textures put there once, the bones' matrices each frame.
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

  /// The pose to draw next. Positions are taken relative to `centre`, in double. Bones are read from a buffer texture:
  /// OpenGL 3.3 promises room for 16384 of them, drivers have much more.
  void placeBones(const DrawSkin& drawn, const Eigen::Vector3d& centre) { placeBones(drawn, centre, drawn.tints); }
  /// The same with other tints, one a bone.
  void placeBones(const DrawSkin& drawn, const Eigen::Vector3d& centre, const std::vector<Color>& tints);

  /// What of the surfaces is drawn.
  enum class Part {
    Solid,    ///< what hides all behind it
    Blended,  ///< the rest of materials that blend, in the file's order; to be drawn last, without depth
    Outline,  ///< of each material what is more there than not: for depth and shadows
    Rim,      ///< of that, what looks away from the eye
  };
  bool hasBlended() const;

  /// With a shader that starts with skin.vert and is in use. Changes face culling, and texture units 1 and 2.
  void draw(const Shader& shader, Part part) const;

 private:
  /// Triangles that are drawn alike, whatever their surface.
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
  BufferHandle vertices_, indices_, boneBuffer_;
  TextureHandle bones_;
  std::vector<TextureHandle> textures_;
  std::vector<Material> materials_;  // the plain one first
  std::vector<Batch> batches_;
  std::vector<glm::vec4> texels_;
};

}  // namespace limber::render
