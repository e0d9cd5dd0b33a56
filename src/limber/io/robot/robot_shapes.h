// SPDX-License-Identifier: MIT
// The simple bodies that robot files describe links by: their volume, the capsule that stands for each when links are
// drawn and picked, and their surface.
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
  /// Metres: half sizes of a box or ellipsoid; otherwise radius, radius, and half the length along z, which is that of
  /// the middle part of a capsule.
  Eigen::Vector3d size = Eigen::Vector3d::Zero();
  Transform linkFromShape;
  std::optional<Eigen::Vector4f> color;  ///< sRGB, alpha
};

inline constexpr std::size_t kMaxDrawnShapes = 10'000;  ///< of a figure; more than that have no surface

double volumeOf(const RobotShape& shape);

/// Of about the same extent: along the longest side, as thick as the two others are on the geometric mean.
Capsule capsuleOf(const RobotShape& shape);

/// Adds the shape's surface, fixed to the link, and its colour where no material has it yet.
void addSurface(const RobotShape& shape, int link, Skin& skin);

/// Index of the material of this colour (sRGB), added where there is none.
int materialOf(const Eigen::Vector4f& color, Skin& skin);

/// Links without a surface show their capsules, so that a partly drawn robot has no holes. Null when no link has one.
std::shared_ptr<const Skin> finishSkin(Skin skin, const Figure& figure);

}  // namespace limber::io
