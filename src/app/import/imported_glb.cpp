// SPDX-License-Identifier: MIT
#include "app/import/imported_glb.h"

#include <assimp/scene.h>
#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>
#include <utility>

#include "app/import/imported_materials.h"
#include "app/import/imported_meshes.h"
#include "limber/io/base/text.h"
#include "limber/io/gltf/gltf_arrays.h"
#include "limber/io/gltf/gltf_file.h"

namespace limber::app {

namespace {

constexpr std::size_t kMostJoints = 65'536;  // in a skin, the limit of readGltf
constexpr double kStillScale = 1e-5;         // smaller relative changes are rounding

std::string nameOf(const aiString& text) { return {text.data, text.length}; }

class GlbImport {
 public:
  GlbImport(const aiScene& scene, const std::filesystem::path& file, const ImportFrame& frame)
      : scene_(scene), frame_(frame), nodes_(scene, frame), materials_(scene, file, arrays_) {}

  std::string write() {
    json_ = {{"asset", {{"version", "2.0"}, {"generator", "Limber"}}}, {"scene", 0}};
    json_["scenes"].push_back({{"nodes", {0}}});
    for (const ImportedNode& node : nodes_.nodes()) addNode(node);
    const std::size_t count = nodes_.nodes().size();
    for (std::size_t i = 0; i < count; ++i) addMeshes(i);
    if (!meshes_.empty()) json_["meshes"] = std::move(meshes_);
    materials_.moveInto(json_);
    for (unsigned i = 0; i < scene_.mNumAnimations; ++i) addAnimation(*scene_.mAnimations[i]);
    return std::move(arrays_).finish(std::move(json_), true);
  }

 private:
  void addNode(const ImportedNode& node) {
    io::OrderedJson out = io::OrderedJson::object();
    if (!node.name.empty()) out["name"] = io::asUtf8(node.name);
    const NodeParts parts = partsOf(node.parentFromNode);
    if (parts.isSheared) {
      out["matrix"] = io::toJson(node.parentFromNode.matrix().reshaped());
    } else {
      if (!parts.translation.isZero(0.0)) out["translation"] = io::toJson(parts.translation);
      if (!parts.rotation.vec().isZero(0.0)) out["rotation"] = io::toJson(parts.rotation.coeffs());
      if (parts.scale != Eigen::Vector3d::Ones()) out["scale"] = io::toJson(parts.scale);
    }
    if (node.parent >= 0) json_["nodes"][node.parent]["children"].push_back(json_["nodes"].size());
    json_["nodes"].push_back(std::move(out));
  }

  /// A glTF node has one mesh and one skin. If only some meshes have bones, these get a child node.
  void addMeshes(std::size_t node) {
    io::OrderedJson rigid = io::OrderedJson::array(), skinned = rigid;
    Skeleton skeleton;
    for (const unsigned mesh : nodes_.nodes()[node].meshes) {
      const std::vector<int> joints = jointsOf(*scene_.mMeshes[mesh], skeleton);
      io::OrderedJson primitive = joints.empty() ? rigidPrimitive(mesh, nodes_.nodes()[node])
                                                 : makePrimitive(mesh, Eigen::Affine3d::Identity(), joints);
      if (!primitive.is_null()) (joints.empty() ? rigid : skinned).push_back(std::move(primitive));
    }
    const bool hasRigid = !rigid.empty();
    if (hasRigid) json_["nodes"][node]["mesh"] = addMesh(std::move(rigid));
    if (skinned.empty()) return;
    const int mesh = addMesh(std::move(skinned)), skin = addSkin(skeleton);
    io::OrderedJson& nodes = json_["nodes"];
    std::size_t holder = node;
    if (hasRigid) {
      holder = nodes.size();
      nodes[node]["children"].push_back(holder);
      nodes.push_back(io::OrderedJson{{"name", io::asUtf8(nodes_.nodes()[node].name)}});
    }
    nodes[holder]["mesh"] = mesh;
    nodes[holder]["skin"] = skin;
  }

  /// The joints of a node's skin: nodes with their inverse bind matrices, which may be several for one node.
  struct Skeleton {
    std::map<std::pair<int, std::array<float, 16>>, int> placeOf;
    std::vector<int> nodes;
    std::vector<float> inverseBindMatrices;
  };

  /// The joint of each bone of the mesh, -1 if there is no such node; empty if no bone has one.
  std::vector<int> jointsOf(const aiMesh& mesh, Skeleton& skeleton) const {
    std::vector<int> joints;
    for (unsigned i = 0; i < mesh.mNumBones; ++i) {
      const int node = nodes_.find(nameOf(mesh.mBones[i]->mName));
      joints.push_back(node < 0 ? -1 : jointOf(node, mesh.mBones[i]->mOffsetMatrix, skeleton));
    }
    const bool hasJoints = std::ranges::any_of(joints, [](int joint) { return joint >= 0; });
    return hasJoints ? joints : std::vector<int>();
  }

  int jointOf(int node, const aiMatrix4x4& offset, Skeleton& skeleton) const {
    std::array<float, 16> matrix{};  // by columns
    for (unsigned row = 0; row < 4; ++row)
      for (unsigned column = 0; column < 4; ++column) matrix[4 * column + row] = row < 3 ? offset[row][column] : 0.0f;
    for (std::size_t i = 12; i < 15; ++i)
      matrix[i] = static_cast<float>(frame_.metresPerUnit * static_cast<double>(matrix[i]));
    matrix[15] = 1.0f;
    const auto [known, isNew] = skeleton.placeOf.try_emplace({node, matrix}, static_cast<int>(skeleton.nodes.size()));
    if (isNew) {
      if (skeleton.nodes.size() == kMostJoints) throw std::length_error("holds a skin of more than 65536 bones");
      skeleton.nodes.push_back(node);
      skeleton.inverseBindMatrices.insert(skeleton.inverseBindMatrices.end(), matrix.begin(), matrix.end());
    }
    return known->second;
  }

  int addSkin(const Skeleton& skeleton) {
    const int matrices = arrays_.addFloats(skeleton.inverseBindMatrices, "MAT4", 16, false);
    json_["skins"].push_back({{"joints", skeleton.nodes}, {"inverseBindMatrices", matrices}});
    return static_cast<int>(json_["skins"].size()) - 1;
  }

  int addMesh(io::OrderedJson primitives) {
    meshes_.push_back({{"primitives", std::move(primitives)}});
    return static_cast<int>(meshes_.size()) - 1;
  }

  io::OrderedJson makePrimitive(unsigned mesh, const Eigen::Affine3d& nodeFromMesh, const std::vector<int>& joints) {
    const unsigned material = scene_.mMeshes[mesh]->mMaterialIndex;
    io::OrderedJson out = primitiveOf(*scene_.mMeshes[mesh],
                                      {.metresPerUnit = frame_.metresPerUnit,
                                       .nodeFromMesh = nodeFromMesh,
                                       .jointOfBone = joints,
                                       .coordinates = materials_.coordinatesOf(material)},
                                      arrays_);
    if (!out.is_null() && material < scene_.mNumMaterials) out["material"] = material;
    return out;
  }

  /// Nodes that show the same mesh share its arrays, unless nodeFromMesh changes it.
  io::OrderedJson rigidPrimitive(unsigned mesh, const ImportedNode& node) {
    if (!node.nodeFromMesh.matrix().isIdentity(0.0)) return makePrimitive(mesh, node.nodeFromMesh, {});
    const auto [known, isNew] = shared_.try_emplace(mesh);
    if (isNew) known->second = makePrimitive(mesh, node.nodeFromMesh, {});
    return known->second;
  }

  void addAnimation(const aiAnimation& animation) {
    io::OrderedJson channels = io::OrderedJson::array(), samplers = channels;
    const std::vector<ImportedKeys> all = nodes_.keysOf(animation);
    double start = 0.0;  // glTF has no time before 0
    for (const ImportedKeys& keys : all) start = std::min(start, keys.times.front());
    for (const ImportedKeys& keys : all) {
      const int times = timesOf(keys, start);
      const auto add = [&](const char* path, const std::vector<float>& values, const char* type, int width) {
        samplers.push_back({{"input", times}, {"output", arrays_.addFloats(values, type, width, false)}});
        channels.push_back({{"sampler", samplers.size() - 1}, {"target", {{"node", keys.node}, {"path", path}}}});
      };
      std::vector<float> rotations, translations, scales;
      Eigen::Vector4d last = Eigen::Vector4d::Zero();
      for (const NodeParts& parts : keys.parts) {
        const Eigen::Vector4d turn = parts.rotation.coeffs();
        last = last.dot(turn) < 0.0 ? Eigen::Vector4d(-turn) : turn;
        for (const double x : last) rotations.push_back(static_cast<float>(x));
        for (const double x : parts.translation) translations.push_back(static_cast<float>(x));
        for (const double x : parts.scale) scales.push_back(static_cast<float>(x));
      }
      add("rotation", rotations, "VEC4", 4);
      add("translation", translations, "VEC3", 3);
      if (changesScale(keys)) add("scale", scales, "VEC3", 3);
    }
    if (channels.empty()) return;
    json_["animations"].push_back({{"name", io::asUtf8(nameOf(animation.mName))},
                                   {"channels", std::move(channels)},
                                   {"samplers", std::move(samplers)}});
  }

  bool changesScale(const ImportedKeys& keys) const {
    const Eigen::Vector3d rest = partsOf(nodes_.nodes()[keys.node].parentFromNode).scale;
    return std::ranges::any_of(
        keys.parts, [&](const NodeParts& parts) { return (parts.scale - rest).norm() > kStillScale * rest.norm(); });
  }

  int timesOf(const ImportedKeys& keys, double start) {
    std::vector<float> times;
    for (const double time : keys.times) times.push_back(static_cast<float>(time - start));
    const auto [known, isNew] = timesAt_.try_emplace(times, 0);
    if (isNew) known->second = arrays_.addFloats(times, "SCALAR", 1, true);
    return known->second;
  }

  const aiScene& scene_;
  ImportFrame frame_;
  io::GltfArrays arrays_;
  ImportedNodes nodes_;
  ImportedMaterials materials_;
  io::OrderedJson json_, meshes_ = io::OrderedJson::array();
  std::map<unsigned, io::OrderedJson> shared_;  ///< primitives of meshes without bones
  std::map<std::vector<float>, int> timesAt_;   ///< accessors of times
};

}  // namespace

std::string glbOf(const aiScene& scene, const std::filesystem::path& file, const ImportFrame& frame) {
  return GlbImport(scene, file, frame).write();
}

}  // namespace limber::app
