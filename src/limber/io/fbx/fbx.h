// SPDX-License-Identifier: MIT
// FBX written: skeleton, skin and motions. Reading is left to assimp (io/mesh/foreign.h).
#pragma once

#include "limber/io/export_formats.h"

namespace limber::io {

/// Binary FBX 7.4 in centimetres, y up, with a bone for each link. With a motion (scene/document.h) the bones have the
/// rest pose, and each motion is a stack with a key per frame of every joint that can move; without one they have the
/// document's pose. Rotations are Euler angles about x, y and z, those nearest to the frame before. Surfaces of the
/// skin are meshes bound to bones, with materials and embedded textures.
///
/// Errors: a pose is not finite, or the file would be larger than 2 GiB.
Result<Exported> formatFbx(const Document& document);

}  // namespace limber::io
