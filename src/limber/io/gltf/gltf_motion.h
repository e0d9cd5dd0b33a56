// SPDX-License-Identifier: MIT
// A motion back into the JSON of the glTF file that the figure came from, as one animation.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "limber/io/gltf/gltf_file.h"
#include "limber/io/gltf/gltf_nodes.h"
#include "limber/scene/document.h"

namespace limber::io {

/// What is added to a file's JSON and its bytes.
struct GltfAddition {
  nlohmann::ordered_json& json;
  int buffer = 0;          ///< that the new bytes go into
  std::size_t start = 0;   ///< where they begin in it
  std::string bytes = {};
};

/// Writes the document's take (scene/take.h) into the animations of addition.json.
///
/// A motion that is one of the file's stays in its animation: only the joints that were posed in the frame on the
/// screen get keys, in samplers of their own. Linear and stepped keys stand as they did but within a frame of it; cubic
/// ones become linear, one a frame. Any other motion becomes a new animation with a key a frame of every joint that
/// moves.
///
/// Nothing is written for a take that is a motion of the file. Keys are floats: untouched frames keep their poses to
/// 1e-6. Throws JsonFault; a motion that no file could hold is one.
void writeGltfMotion(const Document& document, const GltfFile& file, const GltfNodes& nodes, GltfAddition& addition);

}  // namespace limber::io
