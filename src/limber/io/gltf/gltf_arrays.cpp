// SPDX-License-Identifier: MIT
#include "limber/io/gltf/gltf_arrays.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>
#include <utility>

#include "limber/io/base/referred_file.h"
#include "limber/io/gltf/gltf_file.h"

namespace limber::io {

namespace {

constexpr int kFloatType = 5126, kIndexType = 5125, kShortType = 5123;  // glTF's codes; the latter two are unsigned

template <typename Number>
std::string_view bytesOf(const std::vector<Number>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Number)};
}

}  // namespace

int GltfArrays::addView(std::string_view data) {
  views_.push_back({{"buffer", 0}, {"byteOffset", bytes_.size()}, {"byteLength", data.size()}});
  bytes_.append(data).append((4 - data.size() % 4) % 4, '\0');
  return static_cast<int>(views_.size()) - 1;
}

int GltfArrays::add(std::string_view data, int componentType, const char* type, std::size_t count) {
  accessors_.push_back(
      {{"bufferView", addView(data)}, {"componentType", componentType}, {"count", count}, {"type", type}});
  return static_cast<int>(accessors_.size()) - 1;
}

int GltfArrays::addFloats(const std::vector<float>& values, const char* type, int width, bool hasBounds) {
  const auto step = static_cast<std::size_t>(width);
  const int accessor = add(bytesOf(values), kFloatType, type, values.size() / step);
  OrderedJson& entry = accessors_.back();
  for (std::size_t k = 0; hasBounds && k < step; ++k) {
    float low = std::numeric_limits<float>::infinity(), high = -low;
    for (std::size_t i = k; i < values.size(); i += step) {
      low = std::min(low, values[i]);
      high = std::max(high, values[i]);
    }
    entry["min"].push_back(static_cast<double>(low));
    entry["max"].push_back(static_cast<double>(high));
  }
  return accessor;
}

int GltfArrays::addIndices(const std::vector<std::uint32_t>& values) {
  return add(bytesOf(values), kIndexType, "SCALAR", values.size());
}

int GltfArrays::addJoints(const std::vector<std::uint16_t>& values) {
  return add(bytesOf(values), kShortType, "VEC4", values.size() / 4);
}

std::string GltfArrays::finish(OrderedJson json, bool isBinary) && {
  if (bytes_.size() > std::numeric_limits<std::uint32_t>::max() / 2)
    throw JsonFault{"", "holds more than one glTF file can"};
  if (!bytes_.empty()) {
    if (!accessors_.empty()) json["accessors"] = std::move(accessors_);
    json["bufferViews"] = std::move(views_);
    json["buffers"].push_back({{"byteLength", bytes_.size()}});
    if (!isBinary) json["buffers"][0]["uri"] = makeDataUri(bytes_);
  }
  if (!isBinary) return formatJson(json);
  std::string chunks = jsonChunk(compactJson(json));
  json = nullptr;  // frees memory before the chunk of a large file is made
  if (!bytes_.empty()) chunks += binaryChunk(std::exchange(bytes_, {}));
  return joinChunks(chunks);
}

void appendRotation(const Eigen::Matrix3d& rotation, std::vector<float>& keys) {
  Eigen::Vector4f xyzw = Eigen::Quaterniond(rotation).normalized().coeffs().cast<float>();
  if (keys.size() >= 4 && xyzw.dot(Eigen::Vector4f::Map(keys.data() + keys.size() - 4)) < 0.0f) xyzw = -xyzw;
  keys.insert(keys.end(), xyzw.begin(), xyzw.end());
}

}  // namespace limber::io
