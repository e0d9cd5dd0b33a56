// SPDX-License-Identifier: MIT
// Moves the camera of a reference picture about a point of the figure, the pivot. A picture on a plane of the world
// moves with its camera, and comes nearer by its scale.
#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>

#include "limber/problem/picture_camera.h"
#include "render/view.h"

namespace limber::app {

/// Where a camera looks, radians.
struct CameraAngles {
  double heading = 0.0;  ///< about y; 0 looks along -z
  double pitch = 0.0;    ///< downward, so that the horizon rises
  double roll = 0.0;     ///< about the line of sight, clockwise
};

CameraAngles anglesOf(const PictureCamera& camera);

/// Turns the camera about the pivot, which stays where the picture shows it.
void turnAbout(PictureCamera& camera, const Eigen::Vector3d& pivot, const Eigen::Matrix3d& worldFromCamera);
void turnAbout(PictureCamera& camera, const Eigen::Vector3d& pivot, const CameraAngles& angles);

/// Orbits as app::orbit() does; the roll stays.
void orbitAbout(PictureCamera& camera, const Eigen::Vector3d& pivot, double dx, double dy, int height);

/// Multiplies the distance of the pivot along the line of sight by `factor`, or by that the size of a picture on a
/// plane. What is seen along the ray at the pivot's depth stays in place.
void approach(PictureCamera& camera, const Eigen::Vector3d& pivot, const render::Ray& ray, double factor);

/// Moves the camera by a movement of the mouse in pixels of the window, so that the pivot follows the cursor.
void slide(PictureCamera& camera, const Eigen::Vector3d& pivot, const render::View& view, double dx, double dy);

/// Moves the camera sideways, so that it sees a point at that pixel.
void slideTo(PictureCamera& camera, const Eigen::Vector3d& point, const Eigen::Vector2d& pixel);

/// Changes the focal length and moves the camera back or forth, so that the pivot stays as large. Of a picture on a
/// plane it changes the scale about the pivot.
void setFocal(PictureCamera& camera, const Eigen::Vector3d& pivot, double focal);

/// The sides from which a picture can stand upright.
inline constexpr std::array kSides = {render::ViewFrom::Front, render::ViewFrom::Back, render::ViewFrom::Right,
                                      render::ViewFrom::Left,  render::ViewFrom::Top,  render::ViewFrom::Bottom};

/// Turns the camera about the pivot, so that it looks from a side, upright.
void lookFrom(PictureCamera& camera, const Eigen::Vector3d& pivot, render::ViewFrom side);
/// The side from which it looks, as nearly as it does, or exactly.
render::ViewFrom nearestSide(const PictureCamera& camera);
std::optional<render::ViewFrom> sideOf(const PictureCamera& camera);

/// Puts the picture on a plane of the world `beyond` metres beyond the pivot, with its middle at the camera's place.
void putOnPlane(PictureCamera& camera, const Eigen::Vector2d& size, const Eigen::Vector3d& pivot, double beyond);
/// Puts a picture on a plane before a pinhole that faces the same way.
void putBeforePinhole(PictureCamera& camera, const Eigen::Vector3d& pivot, double focal);
/// Moves a picture on a plane along its rays until it is `beyond` metres beyond the pivot.
void setBeyond(PictureCamera& camera, const Eigen::Vector3d& pivot, double beyond);

}  // namespace limber::app
