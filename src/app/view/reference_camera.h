// SPDX-License-Identifier: MIT
// Moves the camera of a reference picture about a point of the figure, the pivot.
#pragma once

#include <Eigen/Core>

#include "limber/problem/pinhole_camera.h"
#include "render/view.h"

namespace limber::app {

/// Where a camera looks, radians.
struct CameraAngles {
  double heading = 0.0;  ///< about y; 0 looks along -z
  double pitch = 0.0;    ///< downward, so that the horizon rises
  double roll = 0.0;     ///< about the line of sight, clockwise
};

CameraAngles anglesOf(const PinholeCamera& camera);

/// Turns the camera about the pivot, which stays where the picture shows it.
void turnAbout(PinholeCamera& camera, const Eigen::Vector3d& pivot, const Eigen::Matrix3d& worldFromCamera);
void turnAbout(PinholeCamera& camera, const Eigen::Vector3d& pivot, const CameraAngles& angles);

/// Orbits as app::orbit() does; the roll stays.
void orbitAbout(PinholeCamera& camera, const Eigen::Vector3d& pivot, double dx, double dy, int height);

/// Multiplies the distance of the pivot along the line of sight by `factor`. What is seen along the ray at the pivot's
/// depth stays in place.
void approach(PinholeCamera& camera, const Eigen::Vector3d& pivot, const render::Ray& ray, double factor);

/// Moves the camera by a movement of the mouse in pixels of the window, so that the pivot follows the cursor.
void slide(PinholeCamera& camera, const Eigen::Vector3d& pivot, const render::View& view, double dx, double dy);

/// Moves the camera sideways, so that it sees a point at that pixel.
void slideTo(PinholeCamera& camera, const Eigen::Vector3d& point, const Eigen::Vector2d& pixel);

/// Changes the focal length and moves the camera back or forth, so that the pivot stays as large.
void setFocal(PinholeCamera& camera, const Eigen::Vector3d& pivot, double focal);

}  // namespace limber::app
