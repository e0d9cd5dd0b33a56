// SPDX-License-Identifier: MIT
// Animations of a glTF file: keys of nodes, and their conversion to tracks of a figure's joints.
#pragma once

#include <string>
#include <vector>

#include "limber/io/gltf/gltf_file.h"
#include "limber/io/gltf/gltf_nodes.h"
#include "limber/scene/motion.h"

namespace limber::io {

/// Keys of a node's rotation or translation with the file's values.
struct GltfChannel {
  int node = 0;
  Track keys;
};

struct GltfClip {
  std::string name;
  std::vector<GltfChannel> channels;
};

/// The channels of rotations and translations. Translations that stay at the node's rest are left out. Scales and morph
/// weights are left out with a note. Throws JsonFault.
std::vector<GltfClip> readGltfAnimations(const GltfFile& file, const GltfNodes& nodes);

/// The clip as a motion of a figure whose rest pose is that of the nodes and whose joint frames are those of the links:
///   rotation  K^T R^-1 R(t) K      translation  (R K)^T B (T(t) - T),   B = metres * parentLinkFromParentNode
/// where T and R are the node's rest and K is its mirror (gltf_nodes.h). Both maps are linear, so cubic tangents are
/// mapped in the same way. Every node of the clip must have a link.
Motion motionOf(const GltfClip& clip, const GltfNodes& nodes, const std::vector<int>& linkOfNode, double metres);

}  // namespace limber::io
