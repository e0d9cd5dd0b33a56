// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <numeric>
#include <optional>

#include "limber/io/gltf/gltf_compression.h"
#include "limber/io/gltf/gltf_parts.h"

namespace limber::io {

namespace {

constexpr std::size_t kMaxVertices = 4'000'000;          // of all surfaces: 250 MB
constexpr std::size_t kMaxTriangleCorners = 24'000'000;  // 100 MB
constexpr int kTriangles = 4, kStrip = 5, kFan = 6;
constexpr const char* kDraco = "KHR_draco_mesh_compression";

class SkinReader {
 public:
  SkinReader(const GltfFile& file, const GltfNodes& nodes, const std::vector<std::vector<int>>& skinJoints,
             const std::vector<int>& linkOfNode)
      : file_(file), nodes_(nodes), skinJoints_(skinJoints), linkOfNode_(linkOfNode) {}

  Skin read() {
    GltfMaterials materials = readGltfMaterials(file_);
    uses_ = std::move(materials.uses);
    for (const int node : nodes_.order)
      if (nodes_[node].isInScene && nodes_[node].mesh >= 0) readMesh(node);
    skin_.materials = std::move(materials.materials);
    skin_.textures = std::move(materials.textures);
    return std::move(skin_);
  }

 private:
  const JsonValue& valueOf(const char* list, int index) const { return file_.list(list)[index]; }

  void readMesh(int node) {
    const JsonValue& mesh = valueOf("meshes", nodes_[node].mesh);
    const int skin = nodes_[node].skin;
    const std::vector<SkinBone> bones = skin >= 0 ? bonesOf(skin) : std::vector<SkinBone>{rigidBone(node)};
    if (bones.empty()) return;
    for (const JsonValue& primitive : mesh.at("primitives").elements()) {
      if (!isDrawn(primitive)) continue;
      SkinSurface surface = readPrimitive(primitive, bones.size(), skin >= 0);
      surface.name = nodes_[node].name;
      giveBones(bones, surface);
      if (surface.bones.front().linkFromSkin.linear().determinant() < 0.0f) turnInsideOut(surface);
      skin_.surfaces.push_back(std::move(surface));
    }
  }

  /// The affine map from a node to its link at rest.
  Eigen::Affine3d linkFromNode(int node) const {
    const GltfNode& n = nodes_[node];
    Eigen::Affine3d out = Eigen::Affine3d::Identity();
    out.linear() = n.worldFromLink.transpose() * n.worldFromNode.linear();
    return out;
  }

  SkinBone rigidBone(int node) const { return {linkOfNode_[node], linkFromNode(node).cast<float>()}; }

  /// The bones of a skin's joints; empty when the inverse bind matrices cannot be read.
  std::vector<SkinBone> bonesOf(int skin) {
    const JsonValue& value = valueOf("skins", skin);
    const std::vector<int>& joints = skinJoints_[skin];
    const int accessor = file_.indexOf(value, "inverseBindMatrices", "accessors");
    std::string why;
    if (accessor >= 0 && file_.isCompressed(accessor, why)) {
      file_.note("skins[" + std::to_string(skin) + "] is compressed (" + why +
                 "), which is not read: what it moves is left out.");
      return {};
    }
    std::vector<float> matrices;
    if (accessor >= 0) {
      matrices = file_.floats(accessor, "MAT4");
      if (matrices.size() < 16 * joints.size())
        value.at("inverseBindMatrices")
            .fail("has " + std::to_string(matrices.size() / 16) + " matrices for " + std::to_string(joints.size()) +
                  " joints");
    }
    std::vector<SkinBone> bones;
    for (std::size_t i = 0; i < joints.size(); ++i) {
      Eigen::Affine3d nodeFromSkin = Eigen::Affine3d::Identity();
      if (accessor >= 0)
        nodeFromSkin.matrix().topRows<3>() = Eigen::Matrix4f::Map(&matrices[16 * i]).cast<double>().topRows<3>();
      bones.push_back({linkOfNode_[joints[i]], (linkFromNode(joints[i]) * nodeFromSkin).cast<float>()});
      if (!bones.back().linkFromSkin.matrix().allFinite()) value.fail("places a joint beyond the range of float");
    }
    return bones;
  }

  /// False, with a note, for primitives that are not drawn.
  bool isDrawn(const JsonValue& primitive) {
    const auto mode = primitive.find("mode");
    const int kind = mode ? mode->integerIn(0, 6) : kTriangles;
    if (kind < kTriangles) {
      file_.note("Points and lines of meshes are left out.");
      return false;
    }
    const JsonValue attributes = primitive.at("attributes");
    if (!attributes.find("POSITION")) {
      file_.note("A part of a mesh without positions is left out.");
      return false;
    }
    if (primitive.find("targets")) file_.note("Morph targets are left out: the shape without them is shown.");
    std::string why = kDraco;
    bool isCompressed = !readsDraco() && extension(primitive, kDraco);
    for (const auto& [name, accessor] : attributes.members())
      isCompressed = isCompressed || file_.isCompressed(file_.index(accessor, "accessors"), why);
    if (const int indices = file_.indexOf(primitive, "indices", "accessors"); indices >= 0 && !isCompressed)
      isCompressed = file_.isCompressed(indices, why);
    if (isCompressed)
      file_.note("A mesh is compressed (" + why + "), which is not read: the figure is shown without it.");
    return !isCompressed;
  }

  SkinSurface readPrimitive(const JsonValue& primitive, std::size_t boneCount, bool isSkinned) {
    const JsonValue attributes = primitive.at("attributes");
    const auto accessorOf = [&](const char* name) { return file_.indexOf(attributes, name, "accessors"); };
    SkinSurface out;
    out.material = file_.indexOf(primitive, "material", "materials");
    const std::optional<std::vector<std::uint32_t>> decompressed = decompress(primitive, out.material);
    const int positions = accessorOf("POSITION");
    const std::size_t count = file_.count(positions);
    vertices_ += count;
    if (vertices_ > kMaxVertices) primitive.fail("the file draws more than 4000000 vertices");
    out.positions = vectors(positions, count);
    out.triangles = decompressed ? *decompressed : readTriangles(primitive, count);
    for (const std::uint32_t corner : out.triangles)
      if (corner >= count)
        primitive.find("indices").value_or(primitive).fail("speaks of vertex " + std::to_string(corner) + " of " +
                                                           std::to_string(count));
    corners_ += out.triangles.size();
    if (corners_ > kMaxTriangleCorners) primitive.fail("the file draws more than 8000000 triangles");
    if (const int normals = accessorOf("NORMAL"); normals >= 0) out.normals = vectors(normals, count);
    completeNormals(out);
    if (out.material >= 0) readCoordinates(attributes, count, out);
    if (isSkinned) readInfluences(attributes, count, boneCount, out);
    return out;
  }

  /// The triangle corners of a primitive that is compressed by Draco. Replaces the elements of its accessors by the
  /// decompressed ones, so that they are read as those of any other primitive.
  std::optional<std::vector<std::uint32_t>> decompress(const JsonValue& primitive, int material) {
    const auto packed = extension(primitive, kDraco);
    if (!packed) return std::nullopt;
    const JsonValue ids = packed->at("attributes"), attributes = primitive.at("attributes");
    std::vector<int> accessors;
    std::vector<DracoAttribute> wanted;
    const std::array<std::string, 7> names = {"POSITION",  "NORMAL",   coordinatesOf(material), "JOINTS_0", "JOINTS_1",
                                              "WEIGHTS_0", "WEIGHTS_1"};
    for (const std::string& name : names) {
      const auto id = ids.find(name);
      const int accessor = file_.indexOf(attributes, name, "accessors");
      if (!id || accessor < 0) continue;
      accessors.push_back(accessor);
      wanted.push_back({static_cast<std::uint32_t>(id->integerIn(0, 1'000'000'000)), file_.component(accessor),
                        file_.components(accessor)});
    }
    const std::string_view bytes = file_.bufferView(file_.index(packed->at("bufferView"), "bufferViews"));
    DracoMesh mesh = decodeDraco(primitive, bytes, wanted, kMaxVertices - vertices_, kMaxTriangleCorners - corners_);
    std::map<int, GltfFile::Elements> elements;
    for (std::size_t i = 0; i < accessors.size(); ++i)
      elements[accessors[i]] = {std::move(mesh.attributes[i]), mesh.vertexCount};
    file_.replace(std::move(elements));
    return std::move(mesh.corners);
  }

  /// The attribute with the texture coordinates that a material uses; empty without a material.
  std::string coordinatesOf(int material) const {
    return material < 0 ? std::string() : "TEXCOORD_" + std::to_string(uses_[material].coordinates);
  }

  void expectCount(std::size_t numbers, std::size_t expected, int accessor) const {
    if (numbers != expected) valueOf("accessors", accessor).at("count").fail("is not that of the positions");
  }

  std::vector<Eigen::Vector3f> vectors(int accessor, std::size_t count) const {
    const std::vector<float> numbers = file_.floats(accessor, "VEC3");
    expectCount(numbers.size(), 3 * count, accessor);
    std::vector<Eigen::Vector3f> out(count);
    for (std::size_t i = 0; i < count; ++i) out[i] = Eigen::Vector3f::Map(&numbers[3 * i]);
    return out;
  }

  std::vector<std::uint32_t> readTriangles(const JsonValue& primitive, std::size_t count) const {
    std::vector<std::uint32_t> corners;
    if (const int accessor = file_.indexOf(primitive, "indices", "accessors"); accessor >= 0) {
      corners = file_.integers(accessor, "SCALAR");
    } else {
      corners.resize(count);
      std::iota(corners.begin(), corners.end(), 0u);
    }
    const auto mode = primitive.find("mode");
    return trianglesOf(std::move(corners), mode ? mode->integerIn(0, 6) : kTriangles);
  }

  static std::vector<std::uint32_t> trianglesOf(std::vector<std::uint32_t> corners, int mode) {
    if (mode == kTriangles) {
      corners.resize(corners.size() / 3 * 3);
      return corners;
    }
    std::vector<std::uint32_t> out;
    for (std::size_t i = 2; i < corners.size(); ++i) {
      const bool isOdd = mode == kStrip && i % 2 == 1;  // every second triangle of a strip has the opposite orientation
      const std::uint32_t first = mode == kFan ? corners[0] : corners[i - 2];
      out.insert(out.end(), {first, corners[isOdd ? i : i - 1], corners[isOdd ? i - 1 : i]});
    }
    return out;
  }

  /// Unit normals; without normals in the file, the mean of the adjacent triangles' normals weighted by area.
  static void completeNormals(SkinSurface& surface) {
    std::vector<Eigen::Vector3f>& normals = surface.normals;
    if (normals.empty()) {
      normals.assign(surface.positions.size(), Eigen::Vector3f::Zero());
      for (std::size_t i = 0; i + 2 < surface.triangles.size(); i += 3) {
        const std::uint32_t* corner = &surface.triangles[i];
        const Eigen::Vector3f a = surface.positions[corner[0]];
        const Eigen::Vector3f normal = (surface.positions[corner[1]] - a).cross(surface.positions[corner[2]] - a);
        for (int c = 0; c < 3; ++c) normals[corner[c]] += normal;
      }
    }
    for (Eigen::Vector3f& normal : normals) {
      const float length = normal.stableNorm();
      normal = length > 0.0f && std::isfinite(length) ? Eigen::Vector3f(normal / length) : Eigen::Vector3f::UnitY();
    }
  }

  void readCoordinates(const JsonValue& attributes, std::size_t count, SkinSurface& out) const {
    const GltfTextureUse& use = uses_[out.material];
    const int accessor = file_.indexOf(attributes, coordinatesOf(out.material), "accessors");
    if (accessor < 0) return;
    const std::vector<float> numbers = file_.floats(accessor, "VEC2");
    expectCount(numbers.size(), 2 * count, accessor);
    for (std::size_t i = 0; i < count; ++i)
      out.textureCoordinates.push_back(use.change * Eigen::Vector2f::Map(&numbers[2 * i]));
  }

  /// Reads joints and weights in sets of four, and normalises the sums of weights to 1.
  void readInfluences(const JsonValue& attributes, std::size_t count, std::size_t boneCount, SkinSurface& out) const {
    const int sets = attributes.find("JOINTS_1") ? 2 : 1;
    if (attributes.find("JOINTS_2")) file_.note("Vertices follow more than eight joints; the first eight count.");
    out.influences = 4 * sets;
    out.boneOf.resize(out.influences * count);
    out.weights.resize(out.influences * count);
    for (int set = 0; set < sets; ++set) {
      const int jointsAt = file_.index(attributes.at("JOINTS_" + std::to_string(set)), "accessors");
      const int weightsAt = file_.index(attributes.at("WEIGHTS_" + std::to_string(set)), "accessors");
      const std::vector<std::uint32_t> joints = file_.integers(jointsAt, "VEC4");
      const std::vector<float> weights = file_.floats(weightsAt, "VEC4");
      expectCount(joints.size(), 4 * count, jointsAt);
      expectCount(weights.size(), 4 * count, weightsAt);
      for (std::size_t i = 0; i < joints.size(); ++i) {
        const std::size_t place = i / 4 * out.influences + 4 * set + i % 4;
        out.weights[place] = std::max(weights[i], 0.0f);
        if (out.weights[place] == 0.0f) continue;  // its joint index may be invalid
        if (joints[i] >= boneCount)
          valueOf("accessors", jointsAt)
              .fail("speaks of joint " + std::to_string(joints[i]) + " of a skin of " + std::to_string(boneCount));
        out.boneOf[place] = static_cast<std::uint16_t>(joints[i]);
      }
    }
    for (std::size_t i = 0; i < count; ++i) normaliseWeights(&out.weights[i * out.influences], out.influences);
  }

  static void normaliseWeights(float* weights, int influences) {
    double sum = 0.0;
    for (int k = 0; k < influences; ++k) sum += static_cast<double>(weights[k]);
    if (sum > 0.0)
      for (int k = 0; k < influences; ++k) weights[k] = static_cast<float>(static_cast<double>(weights[k]) / sum);
    else weights[0] = 1.0f;
  }

  /// Sets the bones that move some vertex of the surface, and renumbers its influences.
  static void giveBones(const std::vector<SkinBone>& bones, SkinSurface& surface) {
    if (surface.influences == 0) {
      surface.bones = {bones.front()};
      return;
    }
    std::vector<int> placeOf(bones.size(), -1);
    for (std::size_t i = 0; i < surface.boneOf.size(); ++i) {
      if (surface.weights[i] == 0.0f) {
        surface.boneOf[i] = 0;
        continue;
      }
      int& place = placeOf[surface.boneOf[i]];
      if (place < 0) {
        place = static_cast<int>(surface.bones.size());
        surface.bones.push_back(bones[surface.boneOf[i]]);
      }
      surface.boneOf[i] = static_cast<std::uint16_t>(place);
    }
    if (surface.bones.empty()) surface.bones = {bones.front()};
  }

  /// Reverses the orientation of the triangles, for a mirrored mesh.
  static void turnInsideOut(SkinSurface& surface) {
    for (std::size_t i = 0; i + 2 < surface.triangles.size(); i += 3)
      std::swap(surface.triangles[i + 1], surface.triangles[i + 2]);
  }

  const GltfFile& file_;
  const GltfNodes& nodes_;
  const std::vector<std::vector<int>>& skinJoints_;
  const std::vector<int>& linkOfNode_;
  std::vector<GltfTextureUse> uses_;
  Skin skin_;
  std::size_t vertices_ = 0, corners_ = 0;
};

}  // namespace

std::vector<std::vector<int>> readGltfSkinJoints(const GltfFile& file) {
  constexpr std::size_t kMaxJoints = 65'536;  // influences have two bytes
  std::vector<std::vector<int>> out;
  for (const JsonValue& skin : file.list("skins")) {
    std::vector<int>& joints = out.emplace_back();
    for (const JsonValue& joint : skin.at("joints").elements()) joints.push_back(file.index(joint, "nodes"));
    if (joints.empty()) skin.at("joints").fail("is empty");
    if (joints.size() > kMaxJoints) skin.at("joints").fail("holds more than 65536 joints");
  }
  return out;
}

Skin readGltfSkin(const GltfFile& file, const GltfNodes& nodes, const std::vector<std::vector<int>>& skinJoints,
                  const std::vector<int>& linkOfNode) {
  return SkinReader(file, nodes, skinJoints, linkOfNode).read();
}

}  // namespace limber::io
