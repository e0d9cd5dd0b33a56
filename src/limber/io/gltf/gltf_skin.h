// SPDX-License-Identifier: MIT
// Meshes and skins of a glTF file as one Skin.
#pragma once

#include <vector>

#include "limber/io/gltf/gltf_file.h"
#include "limber/io/gltf/gltf_nodes.h"
#include "limber/scene/skin.h"

namespace limber::io {

/// The nodes that a skin's joints are, by its index.
std::vector<std::vector<int>> readGltfSkinJoints(const GltfFile& file);

/// Every mesh of the scene, in file units: `SkinBone::linkFromSkin` leads into links at their places of rest, with
/// lengths as the file has them. A primitive that is not triangles, or is compressed, is left out and noted.
/// linkOfNode      -1 for a node that is no link; joints and nodes with meshes have one
/// Throws JsonFault.
Skin readGltfSkin(const GltfFile& file, const GltfNodes& nodes, const std::vector<std::vector<int>>& skinJoints,
                  const std::vector<int>& linkOfNode);

}  // namespace limber::io
