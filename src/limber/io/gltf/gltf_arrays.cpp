// SPDX-License-Identifier: MIT
#include "limber/io/gltf/gltf_arrays.h"

#include <algorithm>
#include <limits>

namespace limber::io {

namespace {

constexpr int kFloatType = 5126, kIndexType = 5125, kShortType = 5123;  // glTF's codes; the latter two are unsigned

template <typename Number>
std::string_view bytesOf(const std::vector<Number>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Number)};
}

}  // namespace

int GltfArrays::addView(std::string_view data) {
  views.push_back({{"buffer", 0}, {"byteOffset", bytes.size()}, {"byteLength", data.size()}});
  bytes.append(data).append((4 - data.size() % 4) % 4, '\0');
  return static_cast<int>(views.size()) - 1;
}

int GltfArrays::add(std::string_view data, int componentType, const char* type, std::size_t count) {
  accessors.push_back(
      {{"bufferView", addView(data)}, {"componentType", componentType}, {"count", count}, {"type", type}});
  return static_cast<int>(accessors.size()) - 1;
}

int GltfArrays::addFloats(const std::vector<float>& values, const char* type, int width, bool hasBounds) {
  const auto step = static_cast<std::size_t>(width);
  const int accessor = add(bytesOf(values), kFloatType, type, values.size() / step);
  OrderedJson& entry = accessors.back();
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

void GltfArrays::moveInto(OrderedJson& json) {
  if (bytes.size() > std::numeric_limits<std::uint32_t>::max() / 2)
    throw JsonFault{"", "holds more than one glTF file can"};
  if (bytes.empty()) return;
  if (!accessors.empty()) json["accessors"] = std::move(accessors);
  json["bufferViews"] = std::move(views);
  json["buffers"].push_back({{"byteLength", bytes.size()}});
}

}  // namespace limber::io
