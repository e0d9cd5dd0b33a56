// SPDX-License-Identifier: MIT
// Animations of a glTF file: keys of nodes, and the same as tracks of a figure's joints.
#pragma once

#include <string>
#include <vector>

#include "limber/io/gltf/gltf_file.h"
#include "limber/io/gltf/gltf_nodes.h"
#include "limber/scene/motion.h"

namespace limber::io {

/// Keys of a node's rotation or translation, as the file has them: those of a Track.
struct GltfChannel {
  int node = 0;
  Track keys;
};

struct GltfClip {
  std::string name;
  std::vector<GltfChannel> channels;
};

/// Rotations and translations of nodes. A translation that never leaves the node's place of rest is left out, so are
/// scales and morph weights, which are noted. Throws JsonFault.
std::vector<GltfClip> readGltfAnimations(const GltfFile& file, const GltfNodes& nodes);

/// A clip for the joints of a figure that stands at rest as the nodes do, each joint's frame as its link's:
///   rotation  K^T R^-1 R(t) K      translation  (R K)^T B (T(t) - T),   B = metres * parentLinkFromParentNode
/// where the node's rest is T, R, and K its mirror (gltf_nodes.h). Cubic tangents go along: both maps are linear.
Motion motionOf(const GltfClip& clip, const GltfNodes& nodes, const std::vector<int>& linkOfNode, double metres);

}  // namespace limber::io
