// SPDX-License-Identifier: MIT
// Links as boxes or as bones instead of capsules: tapered blocks with round edges. Numbers only.
#pragma once

#include <Eigen/Core>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "limber/kinematics/figure.h"
#include "limber/kinematics/transform.h"
#include "render/view.h"

namespace limber::render {

/// What the links of a figure are drawn as.
enum class LinkStyle {
  Capsules,  ///< as the figure has them: what collides and is picked
  Boxes,     ///< a tapered box around the capsules of each link
  Bones,     ///< thin octahedra from joint to joint
};

/// A box whose cross-section goes evenly from one size to another; a half width of zero makes a point or an edge.
///
///        side
///         |___________
///         |           -----___|        half widths along `side` and across (side x axis), at start and end
///   start *----------- axis --* end
///         |            ____---|
///         |-----------
struct Block {
  Eigen::Vector3d start = Eigen::Vector3d::Zero(), end = Eigen::Vector3d::UnitY();  ///< middles of its two ends
  Eigen::Vector3d side = Eigen::Vector3d::UnitX();  ///< unit, at right angles to the axis
  Eigen::Vector2d startHalf = Eigen::Vector2d::Ones(), endHalf = Eigen::Vector2d::Ones();  ///< metres
  double rounding = 0.0;  ///< radius of its edges, inside the box; metres

  bool operator==(const Block&) const = default;
};

Block operator*(const Transform& transform, const Block& block);

/// The corners of the block without its rounding: four of the start, four of the end.
std::array<Eigen::Vector3d, 8> cornersOf(const Block& block);

/// Distance along the ray to the block, its edges taken as sharp; nothing when it misses or lies behind.
std::optional<double> intersectBlock(const Ray& ray, const Block& block);

struct LinkBlock {
  int link = 0;
  Block block;  ///< in the link's frame
};

/// The blocks of a figure's links, made once.
struct LinkBlocks {
  std::shared_ptr<const Figure> figure;
  LinkStyle style = LinkStyle::Capsules;
  std::vector<LinkBlock> blocks;
};

/// Boxes: one for each link with capsules. Its long axis is the direction in which they run, its sides follow their
/// outline in least squares. Bones: two pyramids on one base, at a seventh of the way, for each joint away from the
/// link's origin, or to the far end of a link without joints. A link without any extent gets nothing.
LinkBlocks makeLinkBlocks(std::shared_ptr<const Figure> figure, LinkStyle style);

}  // namespace limber::render
