// SPDX-License-Identifier: MIT
// The materials of a scene that assimp has read, as glTF: colour, colour texture, alpha and sides.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "limber/io/gltf/gltf_arrays.h"

struct aiMaterial;
struct aiScene;

namespace limber::app {

class ImportedMaterials {
 public:
  /// Images inside the scene go into `arrays`; others are named by URIs relative to `file`.
  ImportedMaterials(const aiScene& scene, const std::filesystem::path& file, io::GltfArrays& arrays);

  /// The set of texture coordinates that a material's texture uses; -1 without a texture.
  int coordinatesOf(unsigned material) const;
  /// Moves materials, textures and images into the JSON of the file.
  void moveInto(io::OrderedJson& json);

 private:
  io::OrderedJson materialOf(const aiMaterial& material);
  int textureOf(const std::string& name);
  int imageOf(const std::string& name);
  std::string bytesOf(const std::string& name) const;
  const char* alphaModeOf(const aiMaterial& material, const std::string& colorName, float opacity) const;

  const aiScene& scene_;
  std::filesystem::path file_;
  io::GltfArrays& arrays_;
  io::OrderedJson materials_ = io::OrderedJson::array(), textures_ = materials_, images_ = materials_;
  std::vector<int> coordinates_;          ///< of each material
  std::map<std::string, int> textureAt_;  ///< by its name in the scene
};

}  // namespace limber::app
