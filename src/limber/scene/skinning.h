// SPDX-License-Identifier: MIT
// Linear blend skinning on the processor; shaders/skin.vert does the same on the graphics card.
#pragma once

#include <span>
#include <vector>

#include "limber/kinematics/forward_kinematics.h"
#include "limber/scene/skin.h"

namespace limber {

/// worldFromLink * linkFromSkin of every bone, surface by surface. No allocation when warm.
void computeBoneTransforms(const Skin& skin, const Kinematics& kinematics, std::vector<Eigen::Affine3d>& worldFromSkin);

/// The weighted sum of a vertex's bones: world from skin. `worldFromSkin` are the surface's own bones.
Eigen::Affine3d blendedTransform(const SkinSurface& surface, std::size_t vertex,
                                 std::span<const Eigen::Affine3d> worldFromSkin);

/// A surface normal transformed by an affine map, that is by the inverse transpose of its linear part. Unit; zero where
/// the map is singular in its direction.
Eigen::Vector3d carriedNormal(const Eigen::Affine3d& worldFromSkin, const Eigen::Vector3d& normal);

/// True when the bones mirror the surface, so that its triangles are counterclockwise from inside.
bool isMirrored(const SkinSurface& surface);

}  // namespace limber
