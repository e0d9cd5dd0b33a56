// SPDX-License-Identifier: MIT
#include "limber/io/gltf/gltf_file.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <string>

#include "limber/io/base/json.h"
#include "limber/io/base/text.h"

namespace limber::io {

namespace {

constexpr std::string_view kMagic = "glTF";
constexpr std::size_t kHeaderBytes = 12, kChunkHeaderBytes = 8;
constexpr std::uint32_t kJsonChunk = 0x4E4F534A, kBinaryChunk = 0x004E4942;
constexpr std::string_view kJsonSpace = " \t\r\n";

std::uint32_t wordAt(std::string_view bytes, std::size_t at) {
  static_assert(std::endian::native == std::endian::little);
  std::uint32_t word = 0;
  std::memcpy(&word, bytes.data() + at, sizeof word);
  return word;
}

void appendWord(std::size_t word, std::string& bytes) {
  for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>((word >> shift) & 0xff);
}

std::string makeChunk(std::uint32_t type, std::string_view bytes) {
  std::string chunk;
  appendWord(bytes.size(), chunk);
  appendWord(type, chunk);
  return chunk.append(bytes);
}

[[noreturn]] void failAt(std::size_t at, const std::string& cause) {
  throw JsonFault{std::string("byte ") + std::to_string(at), cause};
}

/// Returns the chunk at the offset `at`, and moves `at` behind it.
std::string_view takeChunk(std::string_view bytes, std::size_t& at, std::uint32_t& type) {
  if (bytes.size() - at < kChunkHeaderBytes) failAt(at, "the file ends within the header of a chunk");
  const std::size_t length = wordAt(bytes, at);
  type = wordAt(bytes, at + 4);
  const std::size_t start = at + kChunkHeaderBytes;
  if (length > bytes.size() - start)
    failAt(at, "a chunk of " + std::to_string(length) + " bytes reaches beyond the " + std::to_string(bytes.size()) +
                   " of the file");
  at = start + length;
  return bytes.substr(start, length);
}

/// Scans a JSON object without parsing its values. Calls visit(key) for each top-level key until it returns true.
template <typename Visit>
bool anyOuterKey(std::string_view text, Visit visit) {
  int depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    if (c != '"') continue;
    const std::size_t start = at + 1;
    for (++at; at < text.size() && text[at] != '"'; ++at)
      if (text[at] == '\\') ++at;
    if (depth != 1 || at >= text.size()) continue;
    const std::size_t next = text.find_first_not_of(kJsonSpace, at + 1);
    if (next != std::string_view::npos && text[next] == ':' && visit(text.substr(start, at - start))) return true;
  }
  return false;
}

}  // namespace

GltfContainer splitGltf(std::string_view bytes) {
  if (bytes.empty()) throw JsonFault{"", "the file is empty"};
  if (!bytes.starts_with(kMagic)) return {withoutMark(bytes), std::nullopt, false};
  if (bytes.size() < kHeaderBytes) failAt(bytes.size(), "the file ends within its header");
  const std::uint32_t version = wordAt(bytes, 4), length = wordAt(bytes, 8);
  if (version != 2) failAt(4, "is glTF " + std::to_string(version) + "; only glTF 2 is read");
  if (length > bytes.size() || length < kHeaderBytes)
    failAt(8, "the header gives " + std::to_string(length) + " bytes, the file has " + std::to_string(bytes.size()));
  bytes = bytes.substr(0, length);
  GltfContainer out{.isBinary = true};
  std::size_t at = kHeaderBytes;
  std::uint32_t type = 0;
  out.json = takeChunk(bytes, at, type);
  if (type != kJsonChunk) failAt(kHeaderBytes, "the first chunk is not JSON");
  while (at < bytes.size()) {  // chunks of other types are extensions
    const std::string_view chunk = takeChunk(bytes, at, type);
    if (type == kBinaryChunk && !out.binary) out.binary = chunk;
  }
  return out;
}

std::string jsonChunk(std::string json) {
  json.append((4 - json.size() % 4) % 4, ' ');
  return makeChunk(kJsonChunk, json);
}

std::string binaryChunk(std::string_view bytes) {
  return makeChunk(kBinaryChunk, std::string(bytes).append((4 - bytes.size() % 4) % 4, '\0'));
}

std::string joinChunks(const std::string& chunks) {
  if (chunks.size() > std::numeric_limits<std::uint32_t>::max() - kHeaderBytes)
    throw JsonFault{"", "the file would be larger than GLB allows"};
  std::string out(kMagic);
  appendWord(2, out);
  appendWord(kHeaderBytes + chunks.size(), out);
  return out + chunks;
}

bool looksLikeGltf(std::string_view bytes) {
  if (bytes.starts_with(kMagic)) return true;
  bytes = withoutMark(bytes);
  const std::size_t first = bytes.find_first_not_of(kJsonSpace);
  if (first == std::string_view::npos || bytes[first] != '{') return false;
  return anyOuterKey(bytes, [](std::string_view key) { return key == "asset"; });
}

namespace {

/// True for a GLB whose JSON holds one of these words in quotation marks.
bool holdsWord(std::string_view bytes, std::initializer_list<std::string_view> words) {
  if (!bytes.starts_with(kMagic)) return false;
  try {
    const std::string_view json = splitGltf(bytes).json;
    return std::ranges::any_of(words, [&](std::string_view word) { return json.find(word) != std::string_view::npos; });
  } catch (const JsonFault&) {
    return false;
  }
}

}  // namespace

bool looksLikeVrm(std::string_view bytes) { return holdsWord(bytes, {"\"VRM\"", "\"VRMC_vrm\""}); }

bool looksLikeVrma(std::string_view bytes) { return holdsWord(bytes, {"\"VRMC_vrm_animation\""}); }

}  // namespace limber::io
