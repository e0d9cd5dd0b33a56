// SPDX-License-Identifier: MIT
// Wavefront OBJ out: the skin as the pose puts it, still.
#pragma once

#include <string>
#include <vector>

#include "limber/io/base/result.h"
#include "limber/scene/document.h"

namespace limber::io {

struct ObjExport {
  std::string text;
  std::string materials;               ///< the text of STEM.mtl; empty when no surface has a material
  std::vector<std::string> pictures;   ///< the bytes of STEM_0.png, STEM_1.png, ...: the textures that are used
};

/// The posed skin: metres, y up, the scene's axes; positions, normals and texture coordinates of every vertex, one
/// object a surface, triangles counterclockwise from outside. Materials have colour (sRGB), alpha and texture.
/// stem: of the names of the files beside it, see objStem.
/// Refused, with the cause, for a figure without a skin.
Result<ObjExport> formatObj(const Document& document, const std::string& stem);

/// A file's name without its ending, as words of an OBJ may be: no space, nothing unprintable.
std::string objStem(const std::string& fileName);

}  // namespace limber::io
