// SPDX-License-Identifier: MIT
#include "app/commands/commands.h"

#include <assimp/DefaultIOSystem.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <algorithm>
#include <assimp/Exporter.hpp>
#include <assimp/Importer.hpp>
#include <filesystem>

#include "limber/io/base/platform.h"

namespace limber::app {

namespace {

// Limits against malformed files: memory, and processor time. The parent limits the elapsed time.
constexpr std::size_t kMostBytes = std::size_t{1} << 30;
constexpr unsigned kMostSeconds = 60;

/// Opens only files in the folder of `file` or below.
class FolderIo : public Assimp::DefaultIOSystem {
 public:
  explicit FolderIo(const std::filesystem::path& file)
      : folder_(std::filesystem::weakly_canonical(file).parent_path()) {}

  bool Exists(const char* name) const override { return isWithin(name) && Assimp::DefaultIOSystem::Exists(name); }
  Assimp::IOStream* Open(const char* name, const char* mode) override {
    return isWithin(name) ? Assimp::DefaultIOSystem::Open(name, mode) : nullptr;
  }

 private:
  bool isWithin(const char* name) const {
    std::error_code failed;
    const std::filesystem::path path = std::filesystem::weakly_canonical(name, failed);
    const std::filesystem::path inside = path.lexically_relative(folder_);
    return !failed && !inside.empty() && *inside.begin() != "..";
  }
  std::filesystem::path folder_;
};

void set(Assimp::Importer& importer, bool isMesh) {
  importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, false);
  importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, isMesh);  // robots mean the file's own axes
  importer.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
  importer.SetPropertyInteger(AI_CONFIG_PP_LBW_MAX_WEIGHTS, 4);
}

/// Programs disagree whether an opacity of 0 or of 1 is solid; a material that would be invisible is taken as solid.
/// The exporter applies opacity to only one of its two colours; the other gets it here as its alpha.
void settleOpacity(aiMaterial& material) {
  float opacity = 1.0f;
  if (material.Get(AI_MATKEY_OPACITY, opacity) != aiReturn_SUCCESS || opacity >= 1.0f) return;
  const float one = 1.0f;
  if (opacity <= 0.0f) material.AddProperty(&one, 1, AI_MATKEY_OPACITY);
  aiColor4D color(1.0f, 1.0f, 1.0f, 1.0f);
  material.Get(AI_MATKEY_COLOR_DIFFUSE, color);
  color.a = opacity <= 0.0f ? 1.0f : opacity;
  material.AddProperty(&color, 1, AI_MATKEY_COLOR_DIFFUSE);
}

/// GLB of a file, or in `fault` why there is none.
std::string convert(const std::string& path, bool isMesh, std::string& fault) {
  Assimp::Importer importer;
  importer.SetIOHandler(new FolderIo(path));  // the importer owns it
  set(importer, isMesh);
  unsigned flags = aiProcess_Triangulate | aiProcess_SortByPType | aiProcess_GenSmoothNormals |
                   aiProcess_JoinIdenticalVertices | aiProcess_LimitBoneWeights | aiProcess_ValidateDataStructure;
  if (!isMesh) flags |= aiProcess_GlobalScale;  // to metres, where the file says its unit
  const aiScene* scene = importer.ReadFile(path, flags);
  if (!scene || !scene->mRootNode) {
    fault = importer.GetErrorString();
    if (fault.empty()) fault = "cannot be read";
    return {};
  }
  for (unsigned i = 0; i < scene->mNumMeshes; ++i)  // GLB has two texture coordinates a vertex, no third
    for (unsigned& components : scene->mMeshes[i]->mNumUVComponents) components = std::min(components, 2u);
  for (unsigned i = 0; i < scene->mNumMaterials; ++i) settleOpacity(*scene->mMaterials[i]);
  Assimp::Exporter exporter;
  const aiExportDataBlob* blob = exporter.ExportToBlob(scene, "glb2");
  if (blob && blob->size > 0) return {static_cast<const char*>(blob->data), blob->size};
  fault = exporter.GetErrorString();
  if (fault.empty()) fault = "holds something that cannot be turned into GLB";
  return {};
}

}  // namespace

int runImportWorker(const std::string& kind, const std::vector<std::string>& paths, std::ostream& out) {
  platform::limitThisProcess(kMostBytes, kMostSeconds);
  for (const std::string& path : paths) {
    std::string fault;
    const std::string glb = convert(path, kind == "mesh", fault);
    const std::string& answer = glb.empty() ? fault : glb;
    out << (glb.empty() ? "fault " : "glb ") << answer.size() << '\n' << answer << std::flush;
  }
  return out ? kSuccess : kBadInput;
}

}  // namespace limber::app
