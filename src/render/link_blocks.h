// SPDX-License-Identifier: MIT
// Links as boxes or bones instead of capsules: tapered blocks with round edges. Without OpenGL.
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

/// Shapes in which the links of a figure are drawn.
enum class LinkStyle {
  Parts,     ///< of a robot without meshes: tubes between motors, with a base or feet; capsules for others
  Capsules,  ///< the figure's own, which collide and are picked
  Boxes,     ///< a tapered box around the capsules of each link
  Bones,     ///< thin octahedra from joint to joint
};

/// A box with a linearly varying cross-section; a half width of zero makes a point or an edge.
///
///        side
///         |___________
///         |           -----___|        half widths along `side` and `side` x axis, at start and end
///   start *----------- axis --* end
///         |            ____---|
///         |-----------
struct Block {
  Eigen::Vector3d start = Eigen::Vector3d::Zero(), end = Eigen::Vector3d::UnitY();         ///< centres of its two ends
  Eigen::Vector3d side = Eigen::Vector3d::UnitX();                                         ///< unit, normal to the axis
  Eigen::Vector2d startHalf = Eigen::Vector2d::Ones(), endHalf = Eigen::Vector2d::Ones();  ///< metres
  double rounding = 0.0;  ///< radius of its edges, inside the box; metres

  bool operator==(const Block&) const = default;
};

Block operator*(const Transform& transform, const Block& block);

/// The corners of the block without its rounding: four of the start, four of the end.
std::array<Eigen::Vector3d, 8> cornersOf(const Block& block);

/// Distance along the ray to the block without its rounding; nothing if the ray misses it.
std::optional<double> intersectBlock(const Ray& ray, const Block& block);

struct LinkBlock {
  int link = 0;
  Block block;  ///< in the link's frame
};

/// The blocks of a figure's links, made once.
struct LinkBlocks {
  std::shared_ptr<const Figure> figure;
  LinkStyle style = LinkStyle::Parts;
  std::vector<LinkBlock> blocks;
};

/// Parts: a tube to each joint below a link, a box around the capsules of a link at the end, a plate under the root of
/// a robot that is fixed to the world, and soles of the feet on which the figure stands at rest. Boxes: one for each
/// link with capsules, along their main direction, with sides fitted to their outline by least squares. Bones: two
/// pyramids on one base, at a seventh of the length, to each joint away from the link's origin, or to the far end of a
/// link without joints. A link without extent has none.
LinkBlocks makeLinkBlocks(std::shared_ptr<const Figure> figure, LinkStyle style);

/// Half the width of the thickest tube of a link in the style Parts; 0 for none.
double tubeRadius(const Figure& figure, int link);

}  // namespace limber::render
