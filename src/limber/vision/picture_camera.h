// SPDX-License-Identifier: MIT
// The camera of a picture: a pinhole without distortion, or parallel rays at right angles to the picture, as in front
// and side views of a drawing. Pixels count from the picture's upper left corner, x to the right and y down; the
// camera's axes are x to the right of its picture, y down, and z ahead.
//
//   u = centre + focal (x / z, y / z)        a pinhole         (x, y, z) = cameraFromWorld p
//   u = centre + focal (x, y)                parallel rays
#pragma once

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>

#include "limber/kinematics/transform.h"

namespace limber {

inline constexpr double kFarthestCamera = 1e9;  ///< metres; pixels for `centre`: products cannot overflow
inline constexpr double kLeastFocal = 1e-3, kMostFocal = 1e9;  ///< pixels, or pixels per metre: range in files

/// The ray of a pixel.
struct PixelRay {
  Eigen::Vector3d from;       ///< metres, world: the camera's place; of parallel rays, a point of the plane through it
  Eigen::Vector3d direction;  ///< unit, ahead
};

struct PictureCamera {
  Transform worldFromCamera;                               ///< metres
  double focal = 1000.0;                                   ///< pixels, > 0; of parallel rays, pixels per metre
  Eigen::Vector2d centre = Eigen::Vector2d(500.0, 500.0);  ///< principal point, pixels
  bool isParallel = false;

  bool operator==(const PictureCamera&) const = default;

  Eigen::Vector3d ahead() const { return worldFromCamera.rotation.col(2); }

  /// How far ahead of the camera a point is, metres; not positive behind it.
  double depthOf(const Eigen::Vector3d& point) const { return ahead().dot(point - worldFromCamera.translation); }

  /// NaN for a point that is not ahead of a pinhole. Parallel rays also see behind the camera.
  Eigen::Vector2d project(const Eigen::Vector3d& point) const {
    const Eigen::Vector3d local = worldFromCamera.rotation.transpose() * (point - worldFromCamera.translation);
    if (isParallel) return centre + focal * local.head<2>();
    if (!(local.z() > 0.0)) return Eigen::Vector2d::Constant(std::numeric_limits<double>::quiet_NaN());
    return centre + focal / local.z() * local.head<2>();
  }

  PixelRay rayThrough(const Eigen::Vector2d& pixel) const {
    const Eigen::Vector2d across = (pixel - centre) / focal;
    const Transform& at = worldFromCamera;
    if (isParallel) return {at * Eigen::Vector3d(across.x(), across.y(), 0.0), ahead()};
    return {at.translation, at.rotation * Eigen::Vector3d(across.x(), across.y(), 1.0).normalized()};
  }

  /// The point of a pixel's ray at a depth, metres.
  Eigen::Vector3d pointAt(const Eigen::Vector2d& pixel, double depth) const {
    const PixelRay ray = rayThrough(pixel);
    return ray.from + depth / ray.direction.dot(ahead()) * ray.direction;
  }

  /// The unit direction in which a point is seen; zero at a pinhole.
  Eigen::Vector3d directionTo(const Eigen::Vector3d& point) const {
    if (isParallel) return ahead();
    return (point - worldFromCamera.translation).normalized();
  }

  /// Pixels per metre at a depth; for a pinhole, the depth counts as at least `least` metres.
  double pixelsPerMetre(double depth, double least) const {
    return isParallel ? focal : focal / std::max(depth, least);
  }
};

/// An upright pinhole at `from` that looks at `at`, not on one vertical line with it.
inline PictureCamera cameraLookingAt(const Eigen::Vector3d& from, const Eigen::Vector3d& at, double focal,
                                     const Eigen::Vector2d& centre) {
  const Eigen::Vector3d ahead = (at - from).normalized();
  const Eigen::Vector3d right = ahead.cross(Eigen::Vector3d::UnitY()).normalized();
  PictureCamera camera{.focal = focal, .centre = centre};
  camera.worldFromCamera.rotation << right, ahead.cross(right), ahead;
  camera.worldFromCamera.translation = from;
  return camera;
}

}  // namespace limber
