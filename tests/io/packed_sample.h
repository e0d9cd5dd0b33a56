// SPDX-License-Identifier: MIT
// A small skinned mesh in a glTF file, plain and compressed by Draco and meshoptimizer, whose own encoders make it.
#pragma once

#ifdef LIMBER_HAVE_DRACO
#include <draco/compression/encode.h>
#include <draco/mesh/mesh.h>
#endif
#ifdef LIMBER_HAVE_MESHOPTIMIZER
#include <meshoptimizer.h>
#endif

#include <algorithm>
#include <array>
#include <cmath>

#include "gltf_sample.h"

namespace limber::test {

/// A waved sheet of kSide x kSide vertices that two joints bend.
struct Sheet {
  static constexpr int kSide = 9;
  std::vector<float> positions, normals, coordinates, weights;
  std::vector<std::uint8_t> joints;
  std::vector<std::uint16_t> triangles;

  Sheet() {
    for (int row = 0; row < kSide; ++row)
      for (int column = 0; column < kSide; ++column) add(static_cast<float>(row) / 8, static_cast<float>(column) / 8);
    for (int row = 0; row + 1 < kSide; ++row)
      for (int column = 0; column + 1 < kSide; ++column) {
        const auto at = [&](int r, int c) { return static_cast<std::uint16_t>((row + r) * kSide + column + c); };
        for (const std::uint16_t corner : {at(0, 0), at(0, 1), at(1, 1), at(0, 0), at(1, 1), at(1, 0)})
          triangles.push_back(corner);
      }
  }

 private:
  void add(float y, float x) {
    const float slope = 0.3f * std::cos(3 * x), length = std::sqrt(1 + slope * slope);
    for (const float value : {x, 1.5f * y, 0.1f * std::sin(3 * x)}) positions.push_back(value);
    for (const float value : {-slope / length, 0.0f, 1 / length}) normals.push_back(value);
    for (const float value : {x, y}) coordinates.push_back(value);
    for (const float value : {1 - y, y, 0.0f, 0.0f}) weights.push_back(value);
    for (const std::uint8_t value : {0, 1, 0, 0}) joints.push_back(value);
  }
};

/// The sheet without compression. Its accessors are those of triangles, positions, normals, texture coordinates, joints
/// and weights, in this order.
inline GltfSample plainSheet() {
  const Sheet sheet;
  GltfSample out;
  out.json["scene"] = 0;
  out.json["scenes"] = {{{"nodes", {0, 1}}}};
  out.json["nodes"] = {{{"name", "body"}, {"mesh", 0}, {"skin", 0}},
                       {{"name", "hip"}, {"children", {2}}},
                       {{"name", "knee"}, {"translation", {0.0, 0.75, 0.0}}}};
  out.json["materials"] = {{{"pbrMetallicRoughness", {{"baseColorFactor", {1.0, 0.5, 0.25, 1.0}}}}}};
  const int triangles = out.accessor(sheet.triangles, "SCALAR", 5123);
  const nlohmann::json attributes = {{"POSITION", out.floats(sheet.positions, "VEC3")},
                                     {"NORMAL", out.floats(sheet.normals, "VEC3")},
                                     {"TEXCOORD_0", out.floats(sheet.coordinates, "VEC2")},
                                     {"JOINTS_0", out.accessor(sheet.joints, "VEC4", 5121)},
                                     {"WEIGHTS_0", out.floats(sheet.weights, "VEC4")}};
  out.json["meshes"] = {{{"primitives", {{{"attributes", attributes}, {"indices", triangles}, {"material", 0}}}}}};
  const int inverse = out.floats(
      {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -0.75f, 0, 1}, "MAT4");
  out.json["skins"] = {{{"joints", {1, 2}}, {"inverseBindMatrices", inverse}}};
  return out;
}

#ifdef LIMBER_HAVE_DRACO

template <typename T>
int addDracoAttribute(draco::Mesh& mesh, draco::GeometryAttribute::Type type, draco::DataType data, int components,
                      const std::vector<T>& values) {
  draco::GeometryAttribute attribute;
  const auto stride = static_cast<std::int64_t>(sizeof(T)) * components;
  attribute.Init(type, nullptr, static_cast<std::int8_t>(components), data, false, stride, 0);
  const auto count = static_cast<std::uint32_t>(values.size()) / static_cast<std::uint32_t>(components);
  const int id = mesh.AddAttribute(attribute, true, count);
  for (std::uint32_t i = 0; i < count; ++i)
    mesh.attribute(id)->SetAttributeValue(draco::AttributeValueIndex(i),
                                          &values[i * static_cast<std::uint32_t>(components)]);
  return id;
}

/// The sheet as bytes of Draco. Its attributes have the numbers 0 to 4, in the order of the accessors.
///
/// isSequential  the vertices keep their order; else they are in that of Edgebreaker
inline std::string dracoSheet(bool isSequential) {
  const Sheet sheet;
  draco::Mesh mesh;
  mesh.SetNumFaces(sheet.triangles.size() / 3);
  for (std::uint32_t i = 0; i < sheet.triangles.size() / 3; ++i)
    mesh.SetFace(draco::FaceIndex(i),
                 {draco::PointIndex(sheet.triangles[3 * i]), draco::PointIndex(sheet.triangles[3 * i + 1]),
                  draco::PointIndex(sheet.triangles[3 * i + 2])});
  mesh.set_num_points(Sheet::kSide * Sheet::kSide);
  using Kind = draco::GeometryAttribute;
  addDracoAttribute(mesh, Kind::POSITION, draco::DT_FLOAT32, 3, sheet.positions);
  addDracoAttribute(mesh, Kind::NORMAL, draco::DT_FLOAT32, 3, sheet.normals);
  addDracoAttribute(mesh, Kind::TEX_COORD, draco::DT_FLOAT32, 2, sheet.coordinates);
  addDracoAttribute(mesh, Kind::GENERIC, draco::DT_UINT8, 4, sheet.joints);
  addDracoAttribute(mesh, Kind::GENERIC, draco::DT_FLOAT32, 4, sheet.weights);
  draco::Encoder encoder;
  encoder.SetEncodingMethod(isSequential ? draco::MESH_SEQUENTIAL_ENCODING : draco::MESH_EDGEBREAKER_ENCODING);
  encoder.SetAttributeQuantization(Kind::POSITION, 14);
  encoder.SetAttributeQuantization(Kind::NORMAL, 10);
  encoder.SetAttributeQuantization(Kind::TEX_COORD, 12);
  encoder.SetAttributeQuantization(Kind::GENERIC, 12);
  draco::EncoderBuffer buffer;
  if (!encoder.EncodeMeshToBuffer(mesh, &buffer).ok()) return {};
  return {buffer.data(), buffer.size()};
}

/// plainSheet() with these bytes instead of the arrays of its mesh.
inline GltfSample withDraco(const std::string& bytes) {
  GltfSample out = plainSheet();
  const int view = out.view(std::vector<char>(bytes.begin(), bytes.end()));
  for (int accessor = 0; accessor <= 5; ++accessor) out.json["accessors"][accessor].erase("bufferView");
  const nlohmann::json ids = {{"POSITION", 0}, {"NORMAL", 1}, {"TEXCOORD_0", 2}, {"JOINTS_0", 3}, {"WEIGHTS_0", 4}};
  out.json["meshes"][0]["primitives"][0]["extensions"]["KHR_draco_mesh_compression"] = {{"bufferView", view},
                                                                                        {"attributes", ids}};
  out.json["extensionsUsed"] = out.json["extensionsRequired"] = {"KHR_draco_mesh_compression"};
  return out;
}

#endif
#ifdef LIMBER_HAVE_MESHOPTIMIZER

/// The bytes of a view of elements of `stride` bytes, compressed.
inline std::string meshoptBytes(const std::string& plain, std::size_t stride, bool isTriangles) {
  const std::size_t count = plain.size() / stride;
  std::vector<unsigned char> out(isTriangles ? meshopt_encodeIndexBufferBound(count, count)
                                             : meshopt_encodeVertexBufferBound(count, stride));
  if (isTriangles) {
    std::vector<std::uint16_t> corners(count);
    std::memcpy(corners.data(), plain.data(), plain.size());
    out.resize(meshopt_encodeIndexBuffer(out.data(), out.size(), corners.data(), count));
  } else {
    out.resize(meshopt_encodeVertexBuffer(out.data(), out.size(), plain.data(), count, stride));
  }
  return {out.begin(), out.end()};
}

/// The sample with every view compressed.
///
/// filters  by view: the filter that its bytes are in already, "" for none
inline GltfSample withMeshopt(const GltfSample& plain, const std::vector<std::string>& filters = {}) {
  GltfSample out;
  out.json = plain.json;
  out.absentBytes = plain.bytes.size();
  const int triangles = plain.json["meshes"][0]["primitives"][0].value("indices", -1);
  for (const nlohmann::json& accessor : plain.json["accessors"]) {
    const auto view = accessor["bufferView"].get<std::size_t>();
    nlohmann::json& value = out.json["bufferViews"][view];
    const bool isTriangles = triangles >= 0 && &accessor == &plain.json["accessors"][triangles];
    const auto count = accessor["count"].get<std::size_t>();
    const std::size_t stride = value.value("byteStride", value["byteLength"].get<std::size_t>() / count);
    while (out.bytes.size() % 4 != 0) out.bytes += '\0';
    const std::string packed =
        meshoptBytes(plain.bytes.substr(value["byteOffset"], value["byteLength"]), stride, isTriangles);
    value["buffer"] = 1;
    value["extensions"]["EXT_meshopt_compression"] = {{"buffer", 0},
                                                      {"byteOffset", out.bytes.size()},
                                                      {"byteLength", packed.size()},
                                                      {"byteStride", stride},
                                                      {"count", count},
                                                      {"mode", isTriangles ? "TRIANGLES" : "ATTRIBUTES"}};
    if (view < filters.size() && !filters[view].empty())
      value["extensions"]["EXT_meshopt_compression"]["filter"] = filters[view];
    out.bytes += packed;
  }
  out.json["extensionsUsed"] = out.json["extensionsRequired"] = {"EXT_meshopt_compression"};
  return out;
}

#endif

}  // namespace limber::test
