// SPDX-License-Identifier: MIT
#include "app/import/imported_meshes.h"

#include <assimp/mesh.h>
#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace limber::app {

namespace {

constexpr std::size_t kMostInfluences = 8;                       // of a vertex, the limit of readGltf
constexpr std::size_t kMostMorphNumbers = std::size_t{1} << 26;  // of a mesh
constexpr std::uint32_t kFree = 0xffffffff;

struct Influence {
  int joint = 0;
  float weight = 0.0f;
};

/// The columns of a row, which holds everything that is written of a vertex.
struct Columns {
  std::size_t coordinates = 0, joints = 0, weights = 0, targets = 0;  ///< first column; position and normal come first
  std::size_t sets = 0;                                               ///< of four influences
  std::size_t targetCount = 0;
  std::size_t width = 6;
};

class MeshImport {
 public:
  MeshImport(const aiMesh& mesh, const ImportedPlace& place) : mesh_(mesh), place_(place), count_(mesh.mNumVertices) {
    readTriangles();
    if (triangles_.empty()) return;
    if (!place.jointOfBone.empty()) readInfluences();
    layOut();
    fillRows();
    const std::vector<std::uint32_t> places = joinEqualRows(rows_, columns_.width);
    for (std::uint32_t& corner : triangles_) corner = places[corner];
  }

  io::OrderedJson write(io::GltfArrays& arrays) const {
    if (triangles_.empty()) return nullptr;
    io::OrderedJson attributes;
    attributes["POSITION"] = arrays.addFloats(columns(0, 3), "VEC3", 3, true);
    attributes["NORMAL"] = arrays.addFloats(columns(3, 3), "VEC3", 3, false);
    if (columns_.coordinates > 0)
      attributes["TEXCOORD_0"] = arrays.addFloats(columns(columns_.coordinates, 2), "VEC2", 2, false);
    for (std::size_t set = 0; set < columns_.sets; ++set) {
      const std::vector<float> joints = columns(columns_.joints + 4 * set, 4);
      attributes["JOINTS_" + std::to_string(set)] =
          arrays.addJoints(std::vector<std::uint16_t>(joints.begin(), joints.end()));
      attributes["WEIGHTS_" + std::to_string(set)] =
          arrays.addFloats(columns(columns_.weights + 4 * set, 4), "VEC4", 4, false);
    }
    io::OrderedJson primitive = {{"attributes", std::move(attributes)}, {"indices", arrays.addIndices(triangles_)}};
    for (std::size_t i = 0; i < columns_.targetCount; ++i)
      primitive["targets"].push_back(
          {{"POSITION", arrays.addFloats(columns(columns_.targets + 3 * i, 3), "VEC3", 3, true)}});
    return primitive;
  }

 private:
  void readTriangles() {
    for (unsigned i = 0; i < mesh_.mNumFaces; ++i) {
      const aiFace& face = mesh_.mFaces[i];
      if (face.mNumIndices != 3) continue;  // points and lines
      for (unsigned k = 0; k < 3; ++k) {
        if (face.mIndices[k] >= count_)
          throw io::JsonFault{"", "a triangle of its meshes has a corner that is not there"};
        triangles_.push_back(face.mIndices[k]);
      }
    }
    if (isMirrored())
      for (std::size_t i = 0; i < triangles_.size(); i += 3) std::swap(triangles_[i + 1], triangles_[i + 2]);
  }

  bool isMirrored() const { return place_.nodeFromMesh.linear().determinant() < 0.0; }

  /// The greatest influences of each vertex, kMostInfluences pairs of joint and weight; the weights add up to 1.
  void readInfluences() {
    influences_.resize(kMostInfluences * count_);
    for (unsigned b = 0; b < mesh_.mNumBones; ++b) {
      const aiBone& bone = *mesh_.mBones[b];
      if (place_.jointOfBone[b] < 0) continue;
      for (unsigned i = 0; i < bone.mNumWeights; ++i)
        if (bone.mWeights[i].mVertexId < count_ && bone.mWeights[i].mWeight > 0.0f)
          addInfluence(bone.mWeights[i].mVertexId, place_.jointOfBone[b], bone.mWeights[i].mWeight);
    }
    std::size_t most = 1;
    for (std::size_t i = 0; i < influences_.size(); i += kMostInfluences) {
      float sum = 0.0f;
      for (std::size_t k = 0; k < kMostInfluences; ++k) {
        sum += influences_[i + k].weight;
        if (influences_[i + k].weight > 0.0f) most = std::max(most, k + 1);
      }
      if (!(sum > 0.0f)) influences_[i].weight = sum = 1.0f;  // the file gives the vertex no bone
      for (std::size_t k = 0; k < kMostInfluences; ++k) influences_[i + k].weight /= sum;
    }
    columns_.sets = most > 4 ? 2 : 1;
  }

  void addInfluence(std::size_t vertex, int joint, float weight) {
    const std::span<Influence> all(&influences_[kMostInfluences * vertex], kMostInfluences);
    const auto known =
        std::ranges::find_if(all, [&](const Influence& i) { return i.weight > 0.0f && i.joint == joint; });
    if (known != all.end()) known->weight += weight;
    else if (const auto least = std::ranges::min_element(all, {}, &Influence::weight); weight > least->weight)
      *least = {joint, weight};
  }

  void layOut() {
    const auto add = [&](std::size_t width) {
      columns_.width += width;
      return columns_.width - width;
    };
    if (place_.coordinates >= 0 && mesh_.HasTextureCoords(static_cast<unsigned>(place_.coordinates)))
      columns_.coordinates = add(2);
    columns_.joints = add(4 * columns_.sets);
    columns_.weights = add(4 * columns_.sets);
    for (unsigned i = 0; i < mesh_.mNumAnimMeshes; ++i) {
      const aiAnimMesh& target = *mesh_.mAnimMeshes[i];
      if (target.mVertices && target.mNumVertices == count_ &&
          3 * count_ * (columns_.targetCount + 1) <= kMostMorphNumbers)
        columns_.targetCount = i + 1;
      else break;
    }
    columns_.targets = add(3 * columns_.targetCount);
  }

  Eigen::Vector3f placed(const aiVector3D& point) const {
    const Eigen::Vector3d metres = place_.metresPerUnit * Eigen::Vector3f(point.x, point.y, point.z).cast<double>();
    return (place_.nodeFromMesh * metres).cast<float>();
  }

  void fillRows() {
    rows_.resize(columns_.width * count_);
    const std::vector<Eigen::Vector3f> normals = mesh_.HasNormals() ? std::vector<Eigen::Vector3f>() : madeNormals();
    const Eigen::Matrix3f turn = place_.nodeFromMesh.linear().inverse().transpose().cast<float>();
    for (std::size_t i = 0; i < count_; ++i) {
      float* row = &rows_[columns_.width * i];
      const auto put = [&](std::size_t column, const Eigen::Vector3f& v) {
        std::copy(v.begin(), v.end(), row + column);
      };
      const Eigen::Vector3f position = placed(mesh_.mVertices[i]);
      put(0, position);
      const Eigen::Vector3f normal =
          normals.empty() ? turn * Eigen::Vector3f(mesh_.mNormals[i].x, mesh_.mNormals[i].y, mesh_.mNormals[i].z)
                          : normals[i];
      put(3, unit(normal));
      if (columns_.coordinates > 0) {
        const aiVector3D& uv = mesh_.mTextureCoords[place_.coordinates][i];
        row[columns_.coordinates] = uv.x;
        row[columns_.coordinates + 1] = 1.0f - uv.y;
      }
      for (std::size_t k = 0; k < 4 * columns_.sets; ++k) {
        const Influence& influence = influences_[kMostInfluences * i + k];
        row[columns_.joints + k] = static_cast<float>(influence.joint);
        row[columns_.weights + k] = influence.weight;
      }
      for (unsigned t = 0; t < columns_.targetCount; ++t)
        put(columns_.targets + 3 * t, placed(mesh_.mAnimMeshes[t]->mVertices[i]) - position);
    }
    for (float& number : rows_) number += 0.0f;  // -0 becomes 0, so that equal rows have equal bytes
  }

  static Eigen::Vector3f unit(const Eigen::Vector3f& normal) {
    const float length = normal.stableNorm();
    return length > 0.0f && std::isfinite(length) ? Eigen::Vector3f(normal / length) : Eigen::Vector3f::UnitY();
  }

  std::vector<Eigen::Vector3f> madeNormals() const {
    std::vector<float> points;
    for (std::size_t i = 0; i < count_; ++i) {
      const Eigen::Vector3f point = placed(mesh_.mVertices[i]);
      points.insert(points.end(), point.begin(), point.end());
    }
    const std::vector<std::uint32_t> places = joinEqualRows(points, 3);
    std::vector<Eigen::Vector3f> sums(points.size() / 3, Eigen::Vector3f::Zero()), out;
    for (std::size_t i = 0; i < triangles_.size(); i += 3) {
      const auto corner = [&](std::size_t k) { return Eigen::Vector3f::Map(&points[3 * places[triangles_[i + k]]]); };
      const Eigen::Vector3f normal = (corner(1) - corner(0)).cross(corner(2) - corner(0));
      for (std::size_t k = 0; k < 3; ++k) sums[places[triangles_[i + k]]] += normal;
    }
    for (const std::uint32_t place : places) out.push_back(sums[place]);
    return out;
  }

  std::vector<float> columns(std::size_t first, std::size_t count) const {
    std::vector<float> out;
    out.reserve(rows_.size() / columns_.width * count);
    for (std::size_t at = first; at < rows_.size(); at += columns_.width)
      out.insert(out.end(), rows_.begin() + static_cast<std::ptrdiff_t>(at),
                 rows_.begin() + static_cast<std::ptrdiff_t>(at + count));
    return out;
  }

  const aiMesh& mesh_;
  const ImportedPlace& place_;
  std::size_t count_;
  std::vector<std::uint32_t> triangles_;
  std::vector<Influence> influences_;
  Columns columns_;
  std::vector<float> rows_;
};

}  // namespace

std::vector<std::uint32_t> joinEqualRows(std::vector<float>& rows, std::size_t width) {
  const std::size_t count = rows.size() / width, bytes = width * sizeof(float);
  std::vector<std::uint32_t> places(count), table(std::bit_ceil(2 * count + 1), kFree);
  std::uint32_t kept = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const float* row = &rows[i * width];
    const std::string_view text(reinterpret_cast<const char*>(row), bytes);
    std::size_t slot = std::hash<std::string_view>()(text) & (table.size() - 1);
    while (table[slot] != kFree && std::memcmp(&rows[table[slot] * width], row, bytes) != 0)
      slot = (slot + 1) & (table.size() - 1);
    if (table[slot] == kFree) {
      if (kept < i) std::memcpy(&rows[kept * width], row, bytes);
      table[slot] = kept++;
    }
    places[i] = table[slot];
  }
  rows.resize(kept * width);
  return places;
}

io::OrderedJson primitiveOf(const aiMesh& mesh, const ImportedPlace& place, io::GltfArrays& arrays) {
  return MeshImport(mesh, place).write(arrays);
}

}  // namespace limber::app
