// SPDX-License-Identifier: MIT
// The camera of a picture: a pinhole without distortion. Pixels count from the picture's upper left corner, x to the
// right and y down; the camera's axes are x to the right of its picture, y down, and z ahead.
//
//   u = centre + focal (x / z, y / z)        (x, y, z) = cameraFromWorld p
#pragma once

#include <Eigen/Geometry>
#include <cmath>
#include <limits>

#include "limber/kinematics/transform.h"

namespace limber {

inline constexpr double kFarthestCamera = 1e9;  ///< metres; of its centre, pixels: products cannot overflow

struct PinholeCamera {
  Transform worldFromCamera;                               ///< metres
  double focal = 1000.0;                                   ///< pixels, > 0
  Eigen::Vector2d centre = Eigen::Vector2d(500.0, 500.0);  ///< pixels: where the camera looks

  bool operator==(const PinholeCamera&) const = default;

  /// How far ahead of the camera a point is, metres; not positive behind it.
  double depthOf(const Eigen::Vector3d& point) const {
    return worldFromCamera.rotation.col(2).dot(point - worldFromCamera.translation);
  }

  /// NaN for a point that is not ahead of the camera.
  Eigen::Vector2d project(const Eigen::Vector3d& point) const {
    const Eigen::Vector3d local = worldFromCamera.rotation.transpose() * (point - worldFromCamera.translation);
    if (!(local.z() > 0.0)) return Eigen::Vector2d::Constant(std::numeric_limits<double>::quiet_NaN());
    return centre + focal / local.z() * local.head<2>();
  }

  /// The direction of unit length in which a pixel is seen, in the world.
  Eigen::Vector3d rayThrough(const Eigen::Vector2d& pixel) const {
    const Eigen::Vector2d across = (pixel - centre) / focal;
    return worldFromCamera.rotation * Eigen::Vector3d(across.x(), across.y(), 1.0).normalized();
  }
};

/// A camera at a place that looks at a point, its picture upright. The two differ, and not by the vertical alone.
inline PinholeCamera cameraLookingAt(const Eigen::Vector3d& from, const Eigen::Vector3d& at, double focal,
                                     const Eigen::Vector2d& centre) {
  const Eigen::Vector3d ahead = (at - from).normalized();
  const Eigen::Vector3d right = ahead.cross(Eigen::Vector3d::UnitY()).normalized();
  PinholeCamera camera{.focal = focal, .centre = centre};
  camera.worldFromCamera.rotation << right, ahead.cross(right), ahead;
  camera.worldFromCamera.translation = from;
  return camera;
}

}  // namespace limber
