// SPDX-License-Identifier: MIT
// Writes a pose or a motion into the glTF file that the figure came from.
#pragma once

#include <string>
#include <vector>

#include "limber/io/base/result.h"
#include "limber/scene/document.h"

namespace limber::io {

struct GltfExport {
  std::string bytes;
  std::vector<std::string> notes;
};

/// Without a motion, the transforms of the nodes that were posed are replaced by those of the document's pose. With a
/// motion, the nodes are unchanged and the take is written as one animation (gltf_motion.h): the file's own animation
/// that it came from, or a new one. New keys are appended to a GLB's binary chunk, or to a .gltf as a buffer with a
/// data URI.
///
/// Meshes, materials, extensions, extras, other animations and all chunks but the JSON stay byte for byte; so does the
/// whole file when nothing was posed.
///
/// Errors: the figure did not come from a glTF file, its bones are no longer those of the file, or the pose is not
/// finite.
Result<GltfExport> formatGltf(const Document& document);

}  // namespace limber::io
