// SPDX-License-Identifier: MIT
// The camera of a picture from edges of a room or a street, or from a figure that stands upright.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>

#include "limber/vision/picture_camera.h"

namespace limber {

/// A straight edge of the world in a picture, pixels.
struct PictureEdge {
  Eigen::Vector2d from = Eigen::Vector2d::Zero();
  Eigen::Vector2d to = Eigen::Vector2d::Zero();
};

struct CameraFromEdges {
  Eigen::Matrix3d worldFromCamera = Eigen::Matrix3d::Identity();  ///< rotation
  double focal = 0.0;                                             ///< pixels
  bool tellsFocal = true;  ///< false: the edges do not determine the focal length; `focal` is the current one
};

/// Rotation and focal length of the camera from edges of two perpendicular directions of the world, two or more edges
/// for each. Edges of one direction meet in its vanishing point, and two vanishing points determine the focal length if
/// neither is far away (Hartley, Zisserman: Multiple View Geometry in Computer Vision, 2nd edition, section 8.8). The
/// directions become axes of the world: of the 24 assignments, the one nearest to the current camera. None if the edges
/// of one direction are on one line, or if both have the same direction.
std::optional<CameraFromEdges> cameraFromEdges(std::span<const PictureEdge> first, std::span<const PictureEdge> second,
                                               const PictureCamera& present);

/// The camera translated so that it sees the point on the ground at one pixel and, as nearly as possible, the point
/// `height` metres (> 0) above it at another. A pinhole keeps its focal length; parallel rays, which do not depend on
/// distance, change their scale. None if no such camera has both points ahead of it.
std::optional<PictureCamera> cameraFromHeight(const PictureCamera& camera, const Eigen::Vector2d& groundPixel,
                                              const Eigen::Vector2d& topPixel, const Eigen::Vector3d& ground,
                                              double height);

}  // namespace limber
