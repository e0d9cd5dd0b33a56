// SPDX-License-Identifier: MIT
// Wavefront OBJ out: the skin as the pose puts it, still.
#pragma once

#include <string>

#include "io/result.h"
#include "scene/document.h"

namespace limber::io {

/// The posed skin: metres, y up, the scene's axes; positions, normals and texture coordinates of every vertex, one
/// object a surface, triangles counterclockwise from outside. Colours and textures stay behind: OBJ keeps them in other files.
/// Refused, with the cause, for a figure without a skin.
Result<std::string> formatObj(const Document& document);

}  // namespace limber::io
