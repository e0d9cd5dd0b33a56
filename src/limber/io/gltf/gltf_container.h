// SPDX-License-Identifier: MIT
// The outside of a glTF file: JSON text alone (.gltf), or chunks of JSON and bytes (.glb, .vrm), little endian:
//
//   "glTF" version length | length of chunk, type, bytes | ...          (glTF 2.0, section 4.4)
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace limber::io {

struct GltfContainer {
  std::string_view json;
  std::optional<std::string_view> binary;  ///< the chunk that a buffer without a uri means
  bool isBinary = false;                   ///< GLB
};

/// Throws JsonFault where a length or a type is not what the format allows. Refers to `bytes`.
GltfContainer splitGltf(std::string_view bytes);

/// Chunks of a GLB: the JSON text, with blanks up to a multiple of four bytes, and binary data.
std::string jsonChunk(std::string json);
std::string binaryChunk(std::string_view bytes);
/// The GLB of chunks. Throws JsonFault where they are longer than the format allows.
std::string joinChunks(const std::string& chunks);

/// By the magic word, or by an "asset" among the outermost members of a JSON text.
bool looksLikeGltf(std::string_view bytes);
/// The same with an extension for avatars.
bool looksLikeVrm(std::string_view bytes);

}  // namespace limber::io
