// SPDX-License-Identifier: MIT
// A pose back into the glTF file that the figure came from.
#pragma once

#include <string>
#include <vector>

#include "io/result.h"
#include "scene/document.h"

namespace limber::io {

struct GltfExport {
  std::string bytes;
  std::vector<std::string> notes;
};

/// The file with the transforms of its nodes as the pose on the screen has them. Only nodes that were posed are written:
/// meshes, materials, extensions, extras, animations and every chunk but the JSON stay byte for byte, and so does the whole
/// file when nothing was posed.
///
/// Fails when the figure did not come from a glTF file, when its bones are no longer those of the file, and on a pose that
/// is not finite.
Result<GltfExport> formatGltf(const Document& document);

}  // namespace limber::io
