// SPDX-License-Identifier: MIT
// Compressed bytes of a glTF file: triangles of Draco (KHR_draco_mesh_compression) and buffer views of meshoptimizer
// (EXT_meshopt_compression). Each is read only if Limber was built with its library.
//
// All functions throw JsonFault.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "limber/io/gltf/gltf_file.h"

namespace limber::io {

bool readsDraco();
bool readsMeshopt();

/// An attribute as its accessor announces it.
struct DracoAttribute {
  std::uint32_t id = 0;  ///< in the compressed data
  GltfComponent component = GltfComponent::Float;
  std::size_t components = 1;
};

struct DracoMesh {
  std::size_t vertexCount = 0;
  std::vector<std::uint32_t> corners;   ///< three vertices for each triangle
  std::vector<std::string> attributes;  ///< the bytes of each requested attribute, row by row without gaps
};

/// Nothing is allocated before the counts in the data are known to be within the bounds.
///
/// primitive  the place that faults name
DracoMesh decodeDraco(const JsonValue& primitive, std::string_view bytes, const std::vector<DracoAttribute>& attributes,
                      std::size_t mostVertices, std::size_t mostCorners);

/// The decompressed bytes of the view.
///
/// extension  the object of EXT_meshopt_compression
std::string decodeMeshopt(const JsonValue& extension, std::string_view bytes, std::size_t mostBytes);

}  // namespace limber::io
