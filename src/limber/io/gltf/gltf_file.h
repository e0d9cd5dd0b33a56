// SPDX-License-Identifier: MIT
// An open glTF 2.0 file: its JSON as checked lists, its buffers as bytes, its accessors as numbers. All vertices, bones
// and animations are read through this class, which checks every index, offset and count.
//
// All functions throw JsonFault, which names the place by its JSON path.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "limber/io/base/json.h"
#include "limber/io/base/open_context.h"

namespace limber::io {

// The container of a glTF file: JSON text (.gltf), or little-endian chunks of JSON and binary data (.glb, .vrm):
//
//   "glTF" version length | length of chunk, type, bytes | ...          (glTF 2.0, section 4.4)

struct GltfContainer {
  std::string_view json;
  std::optional<std::string_view> binary;  ///< the chunk of a buffer without a uri
  bool isBinary = false;                   ///< GLB
};

/// The result refers to `bytes`. Throws JsonFault when the length or the type of a chunk is invalid.
GltfContainer splitGltf(std::string_view bytes);

/// Chunks of a GLB: JSON text, and binary data. Both are padded to a multiple of four bytes, as the format requires.
std::string jsonChunk(std::string json);
std::string binaryChunk(std::string_view bytes);
/// The GLB with these chunks. Throws JsonFault when they are longer than the format allows.
std::string joinChunks(const std::string& chunks);

/// The extension `name` of a value, if it has it.
inline std::optional<JsonValue> extension(const JsonValue& value, const std::string& name) {
  const auto extensions = value.find("extensions");
  return extensions ? extensions->find(name) : std::nullopt;
}

/// The types of an accessor's numbers.
enum class GltfComponent {
  Byte = 5120,
  UnsignedByte = 5121,
  Short = 5122,
  UnsignedShort = 5123,
  UnsignedInt = 5125,
  Float = 5126
};

class GltfFile {
 public:
  /// Parses the file; buffers are fetched when they are first needed. Refers to `bytes` and `context`.
  GltfFile(std::string_view bytes, std::filesystem::path path, const OpenContext& context);
  GltfFile(const GltfFile&) = delete;
  GltfFile& operator=(const GltfFile&) = delete;

  JsonValue root() const { return JsonValue(json_); }
  bool isBinary() const { return container_.isBinary; }
  const std::filesystem::path& path() const { return path_; }
  const OpenContext& context() const { return context_; }

  /// A top-level array ("nodes"); empty when the file has none.
  const std::vector<JsonValue>& list(const std::string& name) const;
  /// The value as an index into the top-level array `name`.
  int index(const JsonValue& value, const std::string& name) const;
  /// The member `key` of `value` as such an index; -1 without one.
  int indexOf(const JsonValue& value, const std::string& key, const std::string& name) const;

  std::string_view buffer(int index) const;
  /// The bytes of a view, decompressed if it is compressed.
  std::string_view bufferView(int view) const;

  /// The count x components numbers of an accessor, row by row; all are finite. Normalised integers are mapped to [-1,
  /// 1] or [0, 1], other integers are converted. type: the accessor's required type, "VEC3".
  std::vector<float> floats(int accessor, std::string_view type) const;
  /// The unsigned integers of an accessor that is not normalised: indices, joints.
  std::vector<std::uint32_t> integers(int accessor, std::string_view type) const;
  int count(int accessor) const;
  GltfComponent component(int accessor) const;
  /// The numbers in each element of an accessor, whatever its type.
  std::size_t components(int accessor) const;
  /// The elements of an accessor without gaps.
  struct Elements {
    std::string bytes;
    std::size_t count = 0;
  };
  /// Replaces the elements of these accessors, by index, until the next call.
  void replace(std::map<int, Elements> elements) const { replaced_ = std::move(elements); }
  /// True when the data exist only in a compressed form that cannot be read; `why` then names it.
  bool isCompressed(int accessor, std::string& why) const;

  /// Adds a note, unless it was added before.
  void note(const std::string& sentence) const;
  std::vector<std::string> takeNotes() const { return std::move(notes_); }

  /// Records that a file that this one refers to was not found.
  void miss(const std::string& name) const { missing_.insert(name); }
  const std::set<std::string>& missing() const { return missing_; }
  /// The files of buffers that were not found, when reading failed because of one of them; else empty.
  std::vector<std::string> missingBuffers() const;

 private:
  struct Layout;
  Layout layoutOf(int accessor, std::string_view type) const;
  template <typename T>
  std::vector<T> read(int accessor, std::string_view type) const;
  template <typename T>
  void readSparse(const JsonValue& sparse, const Layout& layout, std::vector<T>& out) const;
  std::string_view slice(const JsonValue& place, int view, std::size_t offset, std::size_t stride, std::size_t size,
                         std::size_t count) const;
  std::string_view piece(const JsonValue& place) const;
  std::string_view elements(const Layout& layout, int accessor, std::size_t& stride) const;

  std::filesystem::path path_;
  const OpenContext& context_;
  GltfContainer container_;
  Json json_;
  std::map<std::string, std::vector<JsonValue>> lists_;
  mutable std::map<int, std::string> fetched_;   ///< buffers by index
  mutable std::map<int, std::string> unpacked_;  ///< compressed views by index
  mutable std::map<int, Elements> replaced_;
  mutable std::uintmax_t fetchedBytes_ = 0;  ///< of buffers and unpacked views
  mutable std::size_t numbersRead_ = 0;
  mutable std::vector<std::string> notes_;
  mutable std::set<std::string> said_;
  mutable std::set<std::string> missing_;
  mutable bool isBufferMissing_ = false;
};

}  // namespace limber::io
