// SPDX-License-Identifier: MIT
// A glTF 2.0 file, opened: its JSON as checked lists, its buffers as bytes, its accessors as numbers. Everything that
// is read of vertices, bones and animations goes through here, so that no index, offset or count is trusted twice.
//
// All of it throws JsonFault, which names the place by its JSON path.
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
#include "limber/io/gltf/gltf_container.h"

namespace limber::io {

/// The extension `name` of a value, where it has it.
inline std::optional<JsonValue> extension(const JsonValue& value, const std::string& name) {
  const auto extensions = value.find("extensions");
  return extensions ? extensions->find(name) : std::nullopt;
}

class GltfFile {
 public:
  /// Splits and parses; buffers are fetched when they are first needed. Refers to `bytes` and `context`.
  GltfFile(std::string_view bytes, std::filesystem::path path, const OpenContext& context);
  GltfFile(const GltfFile&) = delete;
  GltfFile& operator=(const GltfFile&) = delete;

  JsonValue root() const { return JsonValue(json_); }
  bool isBinary() const { return container_.isBinary; }
  const std::filesystem::path& path() const { return path_; }
  const OpenContext& context() const { return context_; }

  /// An outermost array, by its name ("nodes"); empty when the file has none.
  const std::vector<JsonValue>& list(const std::string& name) const;
  /// A value that is an index into such an array.
  int index(const JsonValue& value, const std::string& name) const;
  /// The member `key` of `value` as such an index, -1 when there is none.
  int indexOf(const JsonValue& value, const std::string& key, const std::string& name) const;

  std::string_view bufferView(int view) const;

  /// (count x components) numbers in a row; integers that are normalised lie in [-1, 1] or [0, 1]. All are finite.
  /// type: what the accessor must hold, "VEC3"; integers that are not normalised come as they are.
  std::vector<float> floats(int accessor, std::string_view type) const;
  /// Unsigned integers (indices, joints), not normalised.
  std::vector<std::uint32_t> integers(int accessor, std::string_view type) const;
  int count(int accessor) const;
  /// True when its bytes are there only in a compressed form that is not read, which `why` then names.
  bool isCompressed(int accessor, std::string& why) const;

  /// Says something once.
  void note(const std::string& sentence) const;
  std::vector<std::string> takeNotes() const { return std::move(notes_); }

  /// Says that a file it names was not found.
  void miss(const std::string& name) const { missing_.insert(name); }
  const std::set<std::string>& missing() const { return missing_; }
  /// Of the files that hold its buffers, those that were not found, when it ended for want of one of them.
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
  std::string_view buffer(int index) const;

  std::filesystem::path path_;
  const OpenContext& context_;
  GltfContainer container_;
  Json json_;
  std::map<std::string, std::vector<JsonValue>> lists_;
  mutable std::map<int, std::string> fetched_;  ///< buffers by index
  mutable std::uintmax_t fetchedBytes_ = 0;
  mutable std::size_t numbersRead_ = 0;
  mutable std::vector<std::string> notes_;
  mutable std::set<std::string> said_;
  mutable std::set<std::string> missing_;
  mutable bool isBufferMissing_ = false;
};

}  // namespace limber::io
