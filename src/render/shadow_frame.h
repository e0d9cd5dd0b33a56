// SPDX-License-Identifier: MIT
// From where the shadow is taken: a box along the light around what casts it. Numbers only.
#pragma once

#include <Eigen/Core>

#include "render/draw_list.h"
#include "render/view.h"

namespace limber::render {

/// The plane that carries the grid and receives the shadow: the ground, or what stands behind a planar chain.
struct Plane {
  Eigen::Vector3d point = Eigen::Vector3d::Zero();     ///< the grid's origin, world
  Eigen::Vector3d u = Eigen::Vector3d::UnitX();        ///< first grid direction, unit
  Eigen::Vector3d v = Eigen::Vector3d::UnitZ();        ///< second
  Eigen::Vector3d normal = Eigen::Vector3d::UnitY();   ///< towards the figure
};

Plane groundPlane(const DrawList& list);

/// Unit vector towards the key light.
Eigen::Vector3d lightDirection(const DrawList& list);

inline constexpr int kShadowMapSize = 512;  ///< texels across the box

struct ShadowFrame {
  /// A world point less view.centre to (u, v, depth), each in [0, 1] inside the box. Orthographic: last row 0 0 0 1.
  Eigen::Matrix4d shadowFromWorld = Eigen::Matrix4d::Identity();
  /// Depth of the plane below (u, v):  x u + y v + z.
  Eigen::Vector3d planeDepth = Eigen::Vector3d::Zero();
  /// What of the box's face, [0, 1] across it both ways, casts a shadow, with a margin for its soft edge.
  Eigen::Vector2d usedMin = Eigen::Vector2d::Zero(), usedMax = Eigen::Vector2d::Ones();
  double width = 1.0;       ///< of the box across the light, metres
  double depth = 1.0;       ///< along it
  bool isEmpty = true;      ///< nothing casts, or all that does is too thin to leave a mark
};

/// Fits the box to the scene's bounds, as far as they lie near what the view looks at.
ShadowFrame fitShadow(const DrawList& list, const View& view);

}  // namespace limber::render
