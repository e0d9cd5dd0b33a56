// SPDX-License-Identifier: MIT
// The camera of a picture from what the picture shows: edges of a room or a street, and a figure that stands upright.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>

#include "limber/problem/picture_camera.h"

namespace limber {

/// A straight edge of the world in a picture, pixels.
struct PictureEdge {
  Eigen::Vector2d from = Eigen::Vector2d::Zero();
  Eigen::Vector2d to = Eigen::Vector2d::Zero();
};

struct CameraFromEdges {
  Eigen::Matrix3d worldFromCamera = Eigen::Matrix3d::Identity();  ///< rotation
  double focal = 0.0;                                             ///< pixels
  bool tellsFocal = true;  ///< false: the edges do not tell the focal length, which is the present one
};

/// Direction and focal length of the camera that sees edges of two directions of the world, at right angles to each
/// other, two or more edges for each. Edges of one direction meet in its vanishing point, and two vanishing points
/// tell the focal length where neither is far away (Hartley, Zisserman: Multiple View Geometry in Computer Vision,
/// 2nd edition, section 8.8). The directions become axes of the world: of the 24 ways to name them, the one nearest to
/// the present camera. None where the edges of one direction are on one line, or where both have the same direction.
std::optional<CameraFromEdges> cameraFromEdges(std::span<const PictureEdge> first, std::span<const PictureEdge> second,
                                               const PictureCamera& present);

/// The camera moved without turning, so that it sees the point on the ground at one pixel, and the point `height`
/// metres (> 0) above it at another, as nearly as it can. A pinhole keeps its focal length; parallel rays, whose
/// distance does not tell, get another scale. None where no such camera has both ahead of it.
std::optional<PictureCamera> cameraFromHeight(const PictureCamera& camera, const Eigen::Vector2d& groundPixel,
                                              const Eigen::Vector2d& topPixel, const Eigen::Vector3d& ground,
                                              double height);

}  // namespace limber
