// SPDX-License-Identifier: MIT
// Materials of a glTF file as skins have them: base colour and texture. What else makes a surface shine is left out.
#pragma once

#include <Eigen/Geometry>
#include <vector>

#include "limber/io/gltf/gltf_file.h"
#include "limber/scene/skin.h"

namespace limber::io {

/// How the texture of a material lies on a surface.
struct GltfTextureUse {
  int coordinates = 0;  ///< TEXCOORD_n
  Eigen::Affine2f change = Eigen::Affine2f::Identity();  ///< KHR_texture_transform
};

struct GltfMaterials {
  std::vector<SkinMaterial> materials;  ///< as the file lists them
  std::vector<GltfTextureUse> uses;     ///< one a material
  std::vector<SkinTexture> textures;
};

/// A picture that cannot be had leaves its material without texture, and is noted. Throws JsonFault.
GltfMaterials readGltfMaterials(const GltfFile& file);

}  // namespace limber::io
