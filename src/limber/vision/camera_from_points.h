// SPDX-License-Identifier: MIT
// The camera of a picture from points whose places in the world are known ("resection").
//
// With e_k the reprojection error of point k in pixels, c_k its confidence, s the standard deviation of the pixels and
// r the ratio of the focal length to a usual one, the camera is a minimum of
//
//   f = sum over k  c_k/2 rho(e_k / s)  +  1/2 (log r / log 2)^2        rho(x) = x^2 / (1 + (x / a)^2)
//
// over its place, its rotation and its focal length. rho is the robust loss of vision/picture_fitter.h. The last term
// keeps the focal length near the usual one, within a factor of two, if the points hardly determine it, as for a flat
// body far away.
//
// f is minimised by Gauss-Newton steps with Levenberg-Marquardt damping, reweighted at each iterate
// (Hartley, Zisserman: Multiple View Geometry in Computer Vision, 2nd edition, section 7.2 and appendix 6).
#pragma once

#include <optional>
#include <span>

#include "limber/vision/picture_camera.h"

namespace limber {

/// A point of the world in a picture.
struct SightedPoint {
  Eigen::Vector3d place;    ///< metres, world
  Eigen::Vector2d pixel;    ///< in the picture
  double confidence = 1.0;  ///< c, > 0
};

struct CameraFromPointsOptions {
  double noise = 3.0;                ///< s, pixels, > 0
  double outlier = 6.0;              ///< a, standard deviations, > 0
  double usualFocal = 1500.0;        ///< pixels, > 0
  std::optional<double> knownFocal;  ///< pixels, > 0; not set: found
};

struct CameraFromPoints {
  PictureCamera camera;
  double cost = 0.0;  ///< f
};

inline constexpr std::size_t kPointsOfACamera = 6;  ///< fewer do not determine place, rotation and focal length

/// The minimum next to a camera. Its f is at most that of the start; a camera that sees a point behind it has a high f.
/// For parallel rays, place and scale are improved: the rotation stays, and no scale is preferred.
CameraFromPoints improveCamera(std::span<const SightedPoint> points, const PictureCamera& start,
                               const CameraFromPointsOptions& options);

/// The same from a rough start: with a wide rho first.
CameraFromPoints improveRoughCamera(std::span<const SightedPoint> points, const PictureCamera& start,
                                    const CameraFromPointsOptions& options);

/// The pinhole camera of the lowest minimum from many upright starts around the points, from below them to far above.
/// None for fewer than kPointsOfACamera points, or if the points, or their pixels, are all at one place.
std::optional<CameraFromPoints> cameraFromPoints(std::span<const SightedPoint> points, const Eigen::Vector2d& centre,
                                                 const CameraFromPointsOptions& options);

}  // namespace limber
