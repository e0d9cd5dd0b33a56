// SPDX-License-Identifier: MIT
// The meshes of a scene that assimp has read, as primitives of glTF.
#pragma once

#include <Eigen/Geometry>
#include <cstdint>
#include <vector>

#include "limber/io/gltf/gltf_arrays.h"

struct aiMesh;

namespace limber::app {

/// Keeps one of each set of equal rows, in their order. Returns the new index of each old row.
std::vector<std::uint32_t> joinEqualRows(std::vector<float>& rows, std::size_t width);

struct ImportedPlace {
  double metresPerUnit = 1.0;
  Eigen::Affine3d nodeFromMesh = Eigen::Affine3d::Identity();  ///< metres
  std::vector<int> jointOfBone;  ///< the skin's joint of each of the mesh's bones, -1 for none; empty: without a skin
  int coordinates = -1;          ///< the set of texture coordinates to write; -1 for none
};

/// The mesh's triangles. Vertices with equal rows are merged, and missing normals are the mean normals of the adjacent
/// triangles, weighted by area. Null without triangles. Throws JsonFault for an index of a vertex that does not exist.
io::OrderedJson primitiveOf(const aiMesh& mesh, const ImportedPlace& place, io::GltfArrays& arrays);

}  // namespace limber::app
