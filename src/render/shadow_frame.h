// SPDX-License-Identifier: MIT
// The frame of the shadow map: a box along the light around the casters. Without OpenGL.
#pragma once

#include <Eigen/Core>

#include "render/draw_list.h"
#include "render/view.h"

namespace limber::render {

/// The plane of grid and shadow: the ground, or the plane behind a planar chain.
struct Plane {
  Eigen::Vector3d point = Eigen::Vector3d::Zero();    ///< the grid's origin, world
  Eigen::Vector3d u = Eigen::Vector3d::UnitX();       ///< first grid direction, unit
  Eigen::Vector3d v = Eigen::Vector3d::UnitZ();       ///< second
  Eigen::Vector3d normal = Eigen::Vector3d::UnitY();  ///< towards the figure
};

Plane groundPlane(const DrawList& list);

/// Unit vector towards the key light.
Eigen::Vector3d lightDirection(const DrawList& list);

inline constexpr int kShadowMapSize = 512;  ///< texels across the box

struct ShadowFrame {
  /// Maps a world point minus view.centre to (u, v, depth), each in [0, 1] inside the box. The last row is 0 0 0 1.
  Eigen::Matrix4d shadowFromWorld = Eigen::Matrix4d::Identity();
  /// Depth of the plane below (u, v):  x u + y v + z.
  Eigen::Vector3d planeDepth = Eigen::Vector3d::Zero();
  /// The part of the box's face, [0, 1] in both directions, that contains casters, with a margin for soft edges.
  Eigen::Vector2d usedMin = Eigen::Vector2d::Zero(), usedMax = Eigen::Vector2d::Ones();
  double width = 1.0;   ///< of the box across the light, metres
  double depth = 1.0;   ///< along it
  bool isEmpty = true;  ///< there are no casters, or all are too thin
};

/// Fits the box to the part of the scene's bounds near the view's centre.
ShadowFrame fitShadow(const DrawList& list, const View& view);

}  // namespace limber::render
