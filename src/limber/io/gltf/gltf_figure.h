// SPDX-License-Identifier: MIT
// New glTF files for figures that did not come from one.
#pragma once

#include <string>

#include "limber/io/base/result.h"
#include "limber/scene/document.h"

namespace limber::io {

/// One node for each link, with the link's name and its capsules as a mesh; metres, y up. With a motion
/// (scene/document.h) the nodes have the rest pose, and one animation has a key per frame for every joint that moves: a
/// rotation, and for prismatic and free joints a translation. Without a motion the nodes have the document's pose.
/// Numbers are floats.
///
/// isBinary  true for GLB, false for JSON with a data URI
/// Errors: a pose is not finite. Throws nothing.
Result<std::string> formatNewGltf(const Document& document, bool isBinary);

}  // namespace limber::io
