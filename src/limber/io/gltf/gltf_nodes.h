// SPDX-License-Identifier: MIT
// The nodes of a glTF file as a checked forest, and the frame that a link gets at each.
//
// A node's place is  worldFromNode = worldFromParent * T R S.  A link is rigid: its rotation is the product of the R
// alone down to it, so that a turn of the node is a turn of the link whatever is scaled above; what scale remains is an
// affine map from node to link. A mirroring S = |S| sgn(S) lends its signs to the rotation, with K = det(sgn S) sgn(S):
//
//   parentLinkFromLink rotation = R K,      K proper, diagonal
#pragma once

#include <Eigen/Geometry>
#include <string>
#include <vector>

#include "limber/io/gltf/gltf_file.h"

namespace limber::io {

struct GltfNode {
  std::string name;                ///< unique; "node7" where the file has none
  int parent = -1;
  std::vector<int> children;
  bool isInScene = false;
  int mesh = -1, skin = -1;
  Eigen::Vector3d translation = Eigen::Vector3d::Zero();
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();  ///< R
  Eigen::Matrix3d mirror = Eigen::Matrix3d::Identity();          ///< K
  Eigen::Affine3d worldFromNode = Eigen::Affine3d::Identity();   ///< file units
  Eigen::Matrix3d worldFromLink = Eigen::Matrix3d::Identity();   ///< the link's rotation
  bool isEvenlyScaled = true;      ///< it and all above it
};

struct GltfNodes {
  std::vector<GltfNode> nodes;   ///< as the file lists them
  std::vector<int> order;        ///< a parent before its children, branch after branch

  const GltfNode& operator[](int i) const { return nodes[i]; }
  GltfNode& operator[](int i) { return nodes[i]; }
  int size() const { return static_cast<int>(nodes.size()); }
};

/// Throws JsonFault: a node with two parents, a cycle, numbers that are not finite or beyond 1e12, a rotation that is
/// none.
GltfNodes readGltfNodes(const GltfFile& file);

}  // namespace limber::io
