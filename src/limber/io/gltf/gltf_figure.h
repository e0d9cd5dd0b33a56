// SPDX-License-Identifier: MIT
// A figure that came from no glTF file as one of its own.
#pragma once

#include <string>

#include "limber/io/base/result.h"
#include "limber/scene/document.h"

namespace limber::io {

/// A node a link, named as it is, with its capsules as a mesh; metres, y up. With a motion (scene/take.h) the nodes
/// stand at rest and one animation has a key a frame for every joint that moves: rotations, and translations of joints
/// that slide or float. Without one the nodes stand as the pose does. isBinary: GLB, else JSON with its bytes inside.
///
/// Fails on a pose that is not finite. Throws nothing. Keys and meshes are floats, as glTF has them.
Result<std::string> formatNewGltf(const Document& document, bool isBinary);

}  // namespace limber::io
