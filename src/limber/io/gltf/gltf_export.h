// SPDX-License-Identifier: MIT
// A pose or a motion back into the glTF file that the figure came from.
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

/// A document without a motion: the file with the transforms of its nodes as the pose on the screen has them; only
/// nodes that were posed are written. With a motion the nodes stay, and one animation is as the take has it
/// (gltf_motion.h): the file's own that the motion is, or a new one. Its keys go behind the bytes of a GLB's binary
/// chunk, or into a buffer of their own in the text.
///
/// Meshes, materials, extensions, extras, other animations and every chunk but the JSON stay byte for byte, and so does
/// the whole file when nothing was posed.
///
/// Fails when the figure did not come from a glTF file, when its bones are no longer those of the file, and on a pose
/// that is not finite.
Result<GltfExport> formatGltf(const Document& document);

}  // namespace limber::io
