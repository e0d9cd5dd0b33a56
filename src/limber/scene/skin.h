// SPDX-License-Identifier: MIT
// The surfaces of a figure: the meshes of a robot, each fixed to one link, and the skin of a character, whose vertices
// follow several links.
//
//   position of a vertex = sum over its influences of  weight * worldFromLink * linkFromSkin * position
//
// Skins are immutable and shared by documents.
#pragma once

#include <Eigen/Geometry>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "limber/kinematics/forward_kinematics.h"

namespace limber {

/// Red, green, blue, alpha; eight bits each, rows from the top. Colours as in the file (sRGB).
struct SkinTexture {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> pixels;  ///< 4 x width x height
};

/// The meaning of alpha (the product of the material's and the texture's).
enum class SkinAlpha {
  Opaque,  ///< none: the surface is opaque
  Mask,    ///< the surface is drawn where alpha is at least the cutoff
  Blend,   ///< opacity
};

struct SkinMaterial {
  std::string name;
  Eigen::Vector4f color = Eigen::Vector4f(0.8f, 0.8f, 0.8f, 1.0f);  ///< linear red, green, blue; alpha
  SkinAlpha alpha = SkinAlpha::Opaque;
  float alphaCutoff = 0.5f;  ///< of Mask
  int texture = -1;          ///< multiplies the colour; -1 for none
  bool isDoubleSided = false;
};

/// A link that moves vertices, with the affine map of the binding pose from the skin to the link, metres. It may scale
/// and shear.
struct SkinBone {
  int link = 0;
  Eigen::Affine3f linkFromSkin = Eigen::Affine3f::Identity();
};

/// Triangles of one material. A rigid part has one bone and no influences.
struct SkinSurface {
  static constexpr int kMaxInfluences = 8;

  std::string name;
  std::vector<Eigen::Vector3f> positions;           ///< in the skin's own frame and unit
  std::vector<Eigen::Vector3f> normals;             ///< unit, one per vertex
  std::vector<Eigen::Vector2f> textureCoordinates;  ///< one per vertex (v down, as in glTF), or none
  std::vector<std::uint32_t> triangles;             ///< three vertices each, counterclockwise from outside
  int material = -1;                                ///< -1 for a plain one
  std::vector<SkinBone> bones;                      ///< at least one
  int influences = 0;                               ///< per vertex: 0 (rigid), 4 or 8
  std::vector<std::uint16_t> boneOf;                ///< (influences x vertices): index in `bones`
  std::vector<float> weights;                       ///< (influences x vertices), of each vertex >= 0 with sum 1

  /// Calls visit(bone, weight) for each bone of a vertex; a rigid part has one, of weight 1.
  template <typename Visit>
  void visitBones(std::size_t vertex, const Visit& visit) const {
    if (influences == 0) visit(std::size_t{0}, 1.0f);
    for (std::size_t i = vertex * influences; i < (vertex + 1) * influences; ++i) visit(boneOf[i], weights[i]);
  }
};

struct Skin {
  std::vector<SkinSurface> surfaces;
  std::vector<SkinMaterial> materials;
  std::vector<SkinTexture> textures;
};

// Linear blend skinning on the processor; shaders/skin.vert does the same on the graphics card.

/// worldFromLink * linkFromSkin of every bone, surface by surface. No allocation when warm.
void computeBoneTransforms(const Skin& skin, const Kinematics& kinematics, std::vector<Eigen::Affine3d>& worldFromSkin);

/// The weighted sum of a vertex's bones: world from skin. `worldFromSkin` are the surface's own bones.
Eigen::Affine3d blendedTransform(const SkinSurface& surface, std::size_t vertex,
                                 std::span<const Eigen::Affine3d> worldFromSkin);

/// A surface normal transformed by an affine map, that is by the inverse transpose of its linear part. Unit; zero where
/// the map is singular in its direction.
Eigen::Vector3d carriedNormal(const Eigen::Affine3d& worldFromSkin, const Eigen::Vector3d& normal);

/// True when the bones mirror the surface, so that its triangles are counterclockwise from inside.
bool isMirrored(const SkinSurface& surface);

}  // namespace limber
