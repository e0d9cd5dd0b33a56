// SPDX-License-Identifier: MIT
// Writes the posed skin as a Wavefront OBJ.
#pragma once

#include <string>
#include <vector>

#include "limber/io/base/result.h"
#include "limber/scene/document.h"

namespace limber::io {

struct ObjExport {
  std::string text;
  std::string materials;              ///< the text of STEM.mtl; empty when no surface has a material
  std::vector<std::string> pictures;  ///< the bytes of STEM_0.png, STEM_1.png, ...: the textures that are used
};

/// The posed skin, in metres and the scene's axes (y up): positions, normals and texture coordinates of all vertices,
/// one object for each surface, triangles counterclockwise seen from outside. Materials have colour (sRGB), alpha and
/// texture.
///
/// stem  of the names of material file and textures (objStem())
/// Errors: the figure has no skin.
Result<ObjExport> formatObj(const Document& document, const std::string& stem);

/// A file's name without its ending and without spaces and unprintable characters, which OBJ does not allow in names.
std::string objStem(const std::string& fileName);

/// The sRGB value of a linear colour: programs without colour management show it unchanged.
double encodedColor(float linear);

}  // namespace limber::io
