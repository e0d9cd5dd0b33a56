// SPDX-License-Identifier: MIT
// Converts the materials of a scene that assimp has read to glTF: base colour and its texture, alpha mode, and whether
// both sides are visible. All else is dropped.
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
  /// file: the file that was imported. Embedded images are appended to `arrays`; others become URIs relative to the
  /// folder of the file, also if they do not exist. Reads images, because their pixels decide the alpha mode. `scene`
  /// and `arrays` must outlive this object.
  ImportedMaterials(const aiScene& scene, const std::filesystem::path& file, io::GltfArrays& arrays);

  /// The index of the channel of texture coordinates that the material's colour texture uses; -1 without a texture.
  int coordinatesOf(unsigned material) const;
  /// Moves materials, textures and images into `json`, the root object of a glTF file. Call it once.
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
