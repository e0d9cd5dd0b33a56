// SPDX-License-Identifier: MIT
// The container of a glTF file: JSON text (.gltf), or little-endian chunks of JSON and binary data (.glb, .vrm):
//
//   "glTF" version length | length of chunk, type, bytes | ...          (glTF 2.0, section 4.4)
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace limber::io {

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

/// True for the magic word of a GLB, and for JSON with a top-level member "asset".
bool looksLikeGltf(std::string_view bytes);
/// True for such a file with a VRM extension.
bool looksLikeVrm(std::string_view bytes);

}  // namespace limber::io
