// SPDX-License-Identifier: MIT
// The triangles of a skin in small groups that lie together, so that the box around a posed skin and the triangle under
// a ray are found without moving every vertex. No GL.
//
// A vertex is a weighted mean of the places to which its bones alone would carry it. So a posed group lies within the
// box around some boxes, one for each of its bones: that around the vertices it moves, carried by it.
#pragma once

#include <Eigen/Geometry>
#include <memory>
#include <optional>
#include <vector>

#include "limber/scene/skinning.h"
#include "render/view.h"

namespace limber::render {

struct SkinGroup {
  std::size_t surface = 0;
  std::size_t firstTriangle = 0, triangleCount = 0;  ///< in SkinGroups::triangles
  std::size_t firstBone = 0, boneCount = 0;          ///< in SkinGroups::bones
};

/// A bone, and what of a group it moves.
struct GroupBone {
  std::uint32_t bone = 0;   ///< place among all bones of the skin
  Eigen::AlignedBox3d box;  ///< in the skin's own frame
};

/// Immutable, made once for a skin and a figure.
struct SkinGroups {
  std::shared_ptr<const Skin> skin;
  std::vector<std::size_t> firstBone;  ///< by surface: where its bones stand among all of them
  std::vector<std::uint32_t> triangles;  ///< places in the surface's triangles / 3
  std::vector<GroupBone> bones;
  std::vector<SkinGroup> groups;
};

/// Cost: a sort of the triangles.
std::shared_ptr<const SkinGroups> groupTriangles(std::shared_ptr<const Skin> skin);

/// The box around the posed skin, along the axes that are the rows of `axes` (a rotation). It holds every vertex and
/// may be a little larger. Empty without triangles.
Eigen::AlignedBox3d boxAround(const SkinGroups& groups, const std::vector<Eigen::Affine3d>& worldFromSkin,
                              const Eigen::Matrix3d& axes = Eigen::Matrix3d::Identity());

struct SkinHit {
  double distance = 0.0;        ///< along the ray
  std::size_t surface = 0;
  std::uint32_t triangle = 0;   ///< place in the surface's triangles / 3
  int link = -1;                ///< whose weight is the greatest there
};

/// The nearest triangle that a ray meets; of a surface that is not two-sided, from outside only, as it is drawn.
/// A hundred thousand triangles take a fraction of a millisecond.
std::optional<SkinHit> intersectSkin(const Ray& ray, const SkinGroups& groups,
                                     const std::vector<Eigen::Affine3d>& worldFromSkin);

}  // namespace limber::render
