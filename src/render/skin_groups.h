// SPDX-License-Identifier: MIT
// The triangles of a skin in small groups of neighbours, with which the box around a posed skin and the triangle hit by
// a ray are found without transforming every vertex. Without OpenGL.
//
// A posed vertex is a weighted mean of its positions under each of its bones. So a posed group is inside the box around
// the transformed boxes of its bones, where a bone's box contains the vertices that it moves.
#pragma once

#include <Eigen/Geometry>
#include <memory>
#include <optional>
#include <vector>

#include "limber/scene/skin.h"
#include "render/view.h"

namespace limber::render {

struct SkinGroup {
  std::size_t surface = 0;
  std::size_t firstTriangle = 0, triangleCount = 0;  ///< in SkinGroups::triangles
  std::size_t firstBone = 0, boneCount = 0;          ///< in SkinGroups::bones
};

/// A bone, and the box around the vertices of a group that it moves.
struct GroupBone {
  std::uint32_t bone = 0;   ///< index among all bones of the skin
  Eigen::AlignedBox3d box;  ///< in the skin's frame
};

/// Immutable, computed once for a skin.
struct SkinGroups {
  std::shared_ptr<const Skin> skin;
  std::vector<std::size_t> firstBone;    ///< by surface: index of its first bone among all bones
  std::vector<std::uint32_t> triangles;  ///< indices of triangles within their surface
  std::vector<GroupBone> bones;
  std::vector<SkinGroup> groups;
};

/// Cost: a sort of the triangles.
std::shared_ptr<const SkinGroups> groupTriangles(std::shared_ptr<const Skin> skin);

/// A box that contains the posed skin, along the rows of `axes` (a rotation); it may be slightly too large. Empty
/// without triangles.
Eigen::AlignedBox3d boxAround(const SkinGroups& groups, const std::vector<Eigen::Affine3d>& worldFromSkin,
                              const Eigen::Matrix3d& axes = Eigen::Matrix3d::Identity());

struct SkinHit {
  double distance = 0.0;  ///< along the ray
  std::size_t surface = 0;
  std::uint32_t triangle = 0;  ///< index within the surface
  int link = -1;               ///< with the greatest weight there
};

/// The nearest triangle hit by a ray; surfaces that are not double-sided are hit from outside only. A hundred thousand
/// triangles take a fraction of a millisecond.
std::optional<SkinHit> intersectSkin(const Ray& ray, const SkinGroups& groups,
                                     const std::vector<Eigen::Affine3d>& worldFromSkin);

}  // namespace limber::render
