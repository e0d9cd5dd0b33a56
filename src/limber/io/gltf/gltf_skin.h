// SPDX-License-Identifier: MIT
// The meshes and skins of a glTF file as one Skin.
#pragma once

#include <vector>

#include "limber/io/gltf/gltf_file.h"
#include "limber/io/gltf/gltf_nodes.h"
#include "limber/scene/skin.h"

namespace limber::io {

/// The nodes of each skin's joints.
std::vector<std::vector<int>> readGltfSkinJoints(const GltfFile& file);

/// All meshes of the scene, with lengths in file units; `SkinBone::linkFromSkin` refers to the links' rest pose.
/// Primitives that are not triangles or are compressed are left out with a note. Throws JsonFault.
///
/// linkOfNode  the link of each node, -1 for none; joints and nodes with meshes have one
Skin readGltfSkin(const GltfFile& file, const GltfNodes& nodes, const std::vector<std::vector<int>>& skinJoints,
                  const std::vector<int>& linkOfNode);

}  // namespace limber::io
