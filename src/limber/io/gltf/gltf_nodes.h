// SPDX-License-Identifier: MIT
// The nodes of a glTF file as a checked forest, and the frame of the link of each node.
//
// A node's transform is  worldFromNode = worldFromParent * T R S.  Links are rigid: a link's rotation is the product of
// the rotations R of its node and the nodes above, so that turning a node turns its link, whatever is scaled above. The
// scales remain in an affine map from node to link. The signs of a mirroring scale S = |S| sgn(S) are part of the
// rotation, with K = det(sgn S) sgn(S):
//
//   parentLinkFromLink rotation = R K,      K proper, diagonal
#pragma once

#include <Eigen/Geometry>
#include <string>
#include <vector>

#include "limber/io/gltf/gltf_file.h"

namespace limber::io {

struct GltfNode {
  std::string name;  ///< unique; "node7" where the file has none
  int parent = -1;
  std::vector<int> children;
  bool isInScene = false;
  int mesh = -1, skin = -1;
  Eigen::Vector3d translation = Eigen::Vector3d::Zero();
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();  ///< R
  Eigen::Matrix3d mirror = Eigen::Matrix3d::Identity();          ///< K
  Eigen::Affine3d worldFromNode = Eigen::Affine3d::Identity();   ///< file units
  Eigen::Matrix3d worldFromLink = Eigen::Matrix3d::Identity();   ///< the link's rotation
  bool isEvenlyScaled = true;                                    ///< the node and all above it
};

struct GltfNodes {
  std::vector<GltfNode> nodes;  ///< in the file's order
  std::vector<int> order;       ///< depth first, parents before children

  const GltfNode& operator[](int i) const { return nodes[i]; }
  GltfNode& operator[](int i) { return nodes[i]; }
  int size() const { return static_cast<int>(nodes.size()); }
};

/// Throws JsonFault for a node with two parents, a cycle, numbers that are not finite or beyond 1e12, and an invalid
/// rotation.
GltfNodes readGltfNodes(const GltfFile& file);

}  // namespace limber::io
