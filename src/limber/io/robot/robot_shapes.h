// SPDX-License-Identifier: MIT
// The geometric primitives of robot files: their volumes, their surfaces, and the capsules that approximate them when
// links are drawn and picked.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "limber/kinematics/figure.h"
#include "limber/scene/skin.h"

namespace limber::io {

enum class ShapeType { Box, Cylinder, Sphere, Capsule, Ellipsoid };

struct RobotShape {
  ShapeType type = ShapeType::Sphere;
  /// Metres. Box, ellipsoid: half extents. Others: radius, radius, and half the length along z, for a capsule without
  /// its caps.
  Eigen::Vector3d size = Eigen::Vector3d::Zero();
  Transform linkFromShape;
  std::optional<Eigen::Vector4f> color;  ///< sRGB, alpha
};

inline constexpr std::size_t kMaxDrawnShapes = 10'000;  ///< of a figure; further shapes get no surface

double volumeOf(const RobotShape& shape);

/// A capsule of about the same extent: along the longest axis, with the geometric mean of the other two as its radius.
Capsule capsuleOf(const RobotShape& shape);

/// Adds the shape's surface, rigidly bound to the link, and a material of its colour if there is none yet.
void addSurface(const RobotShape& shape, int link, Skin& skin);

/// Index of the material with this colour (sRGB); adds it if there is none.
int materialOf(const Eigen::Vector4f& color, Skin& skin);

/// The skin with the capsules of links that have no surface, so that no link is invisible. Null when no link has a
/// surface.
std::shared_ptr<const Skin> finishSkin(Skin skin, const Figure& figure);

}  // namespace limber::io
