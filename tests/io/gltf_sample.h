// SPDX-License-Identifier: MIT
// Small glTF files, made in memory.
#pragma once

#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace limber::test {

/// The JSON of a file and the bytes of its first buffer, the only one that is there.
struct GltfSample {
  nlohmann::json json = {{"asset", {{"version", "2.0"}}}};
  std::string bytes;
  std::size_t absentBytes = 0;  ///< of a second buffer, which stands for compressed data and is nowhere

  /// Adds a buffer view of the values and returns its index.
  template <typename T>
  int view(const std::vector<T>& values) {
    while (bytes.size() % 4 != 0) bytes += '\0';
    const std::size_t start = bytes.size();
    bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
    return append("bufferViews", {{"buffer", 0}, {"byteOffset", start}, {"byteLength", values.size() * sizeof(T)}});
  }
  /// Adds an accessor of the values and returns its index.
  template <typename T>
  int accessor(const std::vector<T>& values, const std::string& type, int componentType) {
    const std::size_t components = type == "SCALAR" ? 1
                                   : type == "MAT4" ? 16
                                                    : static_cast<std::size_t>(type.back() - '0');
    return append("accessors", {{"bufferView", view(values)},
                                {"componentType", componentType},
                                {"count", values.size() / components},
                                {"type", type}});
  }
  int floats(const std::vector<float>& values, const std::string& type) { return accessor(values, type, 5126); }

  int append(const std::string& list, nlohmann::json value) {
    json[list].push_back(std::move(value));
    return static_cast<int>(json[list].size()) - 1;
  }

  std::string text() const {
    nlohmann::json out = json;
    if (!bytes.empty()) {
      out["buffers"] = buffers();
      out["buffers"][0]["uri"] = "data:application/octet-stream;base64," + base64(bytes);
    }
    return out.dump();
  }

  std::string glb() const {
    nlohmann::json out = json;
    out["buffers"] = buffers();
    std::string text = out.dump(), binary = bytes;
    text.resize((text.size() + 3) / 4 * 4, ' ');
    binary.resize((binary.size() + 3) / 4 * 4, '\0');
    const std::string chunks =
        word(text.size()) + "JSON" + text + word(binary.size()) + std::string("BIN\0", 4) + binary;
    return "glTF" + word(2) + word(12 + chunks.size()) + chunks;
  }

  nlohmann::json buffers() const {
    nlohmann::json out = {{{"byteLength", bytes.size()}}};
    if (absentBytes > 0) out.push_back({{"byteLength", absentBytes}});
    return out;
  }

  static std::string word(std::size_t number) {
    const auto value = static_cast<std::uint32_t>(number);
    std::string out(4, '\0');
    std::memcpy(out.data(), &value, 4);
    return out;
  }

  static std::string base64(const std::string& in) {
    const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    for (std::size_t i = 0; i < in.size(); i += 3) {
      std::uint32_t bits = 0;
      for (std::size_t k = 0; k < 3; ++k)
        bits = bits << 8 | (i + k < in.size() ? static_cast<unsigned char>(in[i + k]) : 0u);
      for (std::size_t k = 0; k < 4; ++k) out += i + k > in.size() ? '=' : digits[bits >> (18 - 6 * k) & 63];
    }
    return out;
  }
};

/// Two joints, one above the other, that both move a triangle between them.
inline GltfSample twoJoints() {
  GltfSample out;
  out.json["scene"] = 0;
  out.json["scenes"] = {{{"nodes", {0, 1}}}};
  out.json["nodes"] = {{{"name", "body"}, {"mesh", 0}, {"skin", 0}},
                       {{"name", "hip"}, {"translation", {0.0, 1.0, 0.0}}, {"children", {2}}},
                       {{"name", "knee"}, {"translation", {0.0, 0.5, 0.0}}}};
  const int positions = out.floats({-0.1f, 0, 0, 0.1f, 0, 0, 0, 1.5f, 0.2f}, "VEC3");
  const int joints = out.accessor<std::uint8_t>({0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0}, "VEC4", 5121);
  const int weights = out.floats({1, 0, 0, 0, 0.75f, 0.25f, 0, 0, 1, 0, 0, 0}, "VEC4");
  out.json["meshes"] = {
      {{"primitives", {{{"attributes", {{"POSITION", positions}, {"JOINTS_0", joints}, {"WEIGHTS_0", weights}}}}}}}};
  const int inverse = out.floats(
      {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1.5f, 0, 1}, "MAT4");
  out.json["skins"] = {{{"joints", {1, 2}}, {"inverseBindMatrices", inverse}}};
  return out;
}

/// twoJoints() with keys of its knee at 0, 1 and 3 seconds.
inline GltfSample animated(const std::string& path, const std::string& interpolation,
                           const std::vector<float>& values) {
  GltfSample out = twoJoints();
  const int times = out.floats({0, 1, 3}, "SCALAR");
  const int numbers = out.floats(values, path == "rotation" ? "VEC4" : "VEC3");
  out.json["animations"] = {{{"name", "wave"},
                             {"samplers", {{{"input", times}, {"output", numbers}, {"interpolation", interpolation}}}},
                             {"channels", {{{"sampler", 0}, {"target", {{"node", 2}, {"path", path}}}}}}}};
  return out;
}

}  // namespace limber::test
