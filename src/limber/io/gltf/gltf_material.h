// SPDX-License-Identifier: MIT
// Materials of a glTF file: base colour and texture. The other parameters of the reflection model are left out.
#pragma once

#include <Eigen/Geometry>
#include <vector>

#include "limber/io/gltf/gltf_file.h"
#include "limber/scene/skin.h"

namespace limber::io {

/// How the texture of a material is mapped to a surface.
struct GltfTextureUse {
  int coordinates = 0;                                   ///< TEXCOORD_n
  Eigen::Affine2f change = Eigen::Affine2f::Identity();  ///< KHR_texture_transform
};

struct GltfMaterials {
  std::vector<SkinMaterial> materials;  ///< in the file's order
  std::vector<GltfTextureUse> uses;     ///< one for each material
  std::vector<SkinTexture> textures;
};

/// An image that cannot be read leaves its material without a texture and adds a note. Throws JsonFault.
GltfMaterials readGltfMaterials(const GltfFile& file);

}  // namespace limber::io
