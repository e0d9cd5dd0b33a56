// SPDX-License-Identifier: MIT
// The file that a figure came from, kept so that poses can be written back into its format.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace limber {

enum class SourceFormat { Bvh, Gltf, Glb, Urdf, Mjcf, Fbx, Collada };

struct SourceFile {
  SourceFormat format = SourceFormat::Bvh;
  std::filesystem::path path;
  std::string bytes;            ///< as they were read; empty where nothing is ever written back
  std::vector<int> nodeOfLink;  ///< glTF: the node that each link came from, -1 for none; else empty
};

}  // namespace limber
