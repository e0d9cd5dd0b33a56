// SPDX-License-Identifier: MIT
// The skin of a figure as meshes of FBX that are bound to bones.
#pragma once

#include <span>

#include "limber/io/fbx/fbx_scene.h"
#include "limber/scene/skin.h"

namespace limber::io {

/// Adds each surface as a mesh in the world, with a cluster for each bone. A cluster keeps its bone's place when the
/// surface was bound, which need not be that of any pose:
///
///   place = worldFromSkin linkFromSkin^-1,   worldFromSkin that of the surface's first bone at rest
///
/// boneOf  the model of each link
void addFbxSkin(const Skin& skin, const Kinematics& rest, std::span<const FbxId> boneOf, FbxScene& scene);

}  // namespace limber::io
