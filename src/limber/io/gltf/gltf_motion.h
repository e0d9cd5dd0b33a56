// SPDX-License-Identifier: MIT
// Writes a motion into the JSON of the glTF file that the figure came from, as one animation.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "limber/io/gltf/gltf_file.h"
#include "limber/io/gltf/gltf_nodes.h"
#include "limber/scene/document.h"

namespace limber::io {

/// The JSON to which a motion is added, and the new bytes of a buffer.
struct GltfAddition {
  nlohmann::ordered_json& json;
  int buffer = 0;         ///< index of the buffer that gets the new bytes
  std::size_t start = 0;  ///< their offset in the buffer
  std::string bytes = {};
};

/// Writes the document's take (scene/document.h) into the animations of addition.json.
///
/// A motion of the file stays in its animation, and only joints that were posed in the current frame get new keys, in
/// samplers of their own. Their linear and stepped keys are kept except within one frame of the current one; cubic keys
/// become linear keys, one per frame. Any other motion becomes a new animation with a key per frame of every joint that
/// moves.
///
/// Nothing is written for an unchanged motion of the file. Keys are floats, so that unchanged frames keep their poses
/// to 1e-6. Throws JsonFault, also for a motion too large for a file.
void writeGltfMotion(const Document& document, const GltfFile& file, const GltfNodes& nodes, GltfAddition& addition);

}  // namespace limber::io
