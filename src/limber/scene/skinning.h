// SPDX-License-Identifier: MIT
// Where a pose puts a skin: linear blend skinning on the processor, as shaders/skin.vert does it on the graphics card.
#pragma once

#include <span>
#include <vector>

#include "limber/kinematics/forward_kinematics.h"
#include "limber/scene/skin.h"

namespace limber {

/// worldFromLink * linkFromSkin of every bone: those of the first surface first. No allocation when warm.
void computeBoneTransforms(const Skin& skin, const Kinematics& kinematics,
                           std::vector<Eigen::Affine3d>& worldFromSkin);

/// The weighted sum of a vertex's bones: world from skin. `worldFromSkin` are the surface's own bones.
Eigen::Affine3d blendedTransform(const SkinSurface& surface, std::size_t vertex,
                                 std::span<const Eigen::Affine3d> worldFromSkin);

/// A direction at right angles to a surface, carried by an affine map: the inverse transpose of its linear part. Unit;
/// zero where the map flattens it away.
Eigen::Vector3d carriedNormal(const Eigen::Affine3d& worldFromSkin, const Eigen::Vector3d& normal);

/// True when the bones turn the surface inside out: its triangles are counterclockwise from inside then.
bool isMirrored(const SkinSurface& surface);

}  // namespace limber
