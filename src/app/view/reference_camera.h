// SPDX-License-Identifier: MIT
// Moves the camera of a reference picture about a point of the figure, the pivot. A picture on a plane of the world
// moves with its camera, and changes its scale instead of its distance.
#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>

#include "limber/vision/picture_camera.h"
#include "render/view.h"

namespace limber::app {

/// Where a camera looks, radians.
struct CameraAngles {
  double heading = 0.0;  ///< about y; 0 looks along -z
  double pitch = 0.0;    ///< downward, so that the horizon rises
  double roll = 0.0;     ///< about the line of sight, clockwise
};

CameraAngles anglesOf(const PictureCamera& camera);

/// Turns the camera about the pivot, which keeps its pixel.
void turnAbout(PictureCamera& camera, const Eigen::Vector3d& pivot, const Eigen::Matrix3d& worldFromCamera);
void turnAbout(PictureCamera& camera, const Eigen::Vector3d& pivot, const CameraAngles& angles);

/// Orbits as app::orbit() does; the roll stays.
void orbitAbout(PictureCamera& camera, const Eigen::Vector3d& pivot, double dx, double dy, int height);

/// Multiplies the depth of the pivot by `factor`, or the size of a picture on a plane. The point of the ray at the
/// pivot's depth keeps its pixel.
void approach(PictureCamera& camera, const Eigen::Vector3d& pivot, const render::Ray& ray, double factor);

/// Moves the camera by a movement of the mouse in pixels of the window, so that the pivot follows the cursor.
void slide(PictureCamera& camera, const Eigen::Vector3d& pivot, const render::View& view, double dx, double dy);

/// Moves the camera sideways, so that it sees a point at that pixel.
void slideTo(PictureCamera& camera, const Eigen::Vector3d& point, const Eigen::Vector2d& pixel);

/// Changes the focal length and moves the camera back or forth, so that the size of things at the pivot stays the same.
/// For a picture on a plane, changes its scale about the pivot.
void setFocal(PictureCamera& camera, const Eigen::Vector3d& pivot, double focal);

/// The sides from which a picture can stand upright.
inline constexpr std::array kSides = {render::ViewFrom::Front, render::ViewFrom::Back, render::ViewFrom::Right,
                                      render::ViewFrom::Left,  render::ViewFrom::Top,  render::ViewFrom::Bottom};

/// Turns the camera about the pivot, so that it looks from a side, upright.
void placeAtSide(PictureCamera& camera, const Eigen::Vector3d& pivot, render::ViewFrom side);
/// The side nearest to the one from which the camera looks.
render::ViewFrom nearestSide(const PictureCamera& camera);
/// That side if the camera looks exactly from it, upright; else none.
std::optional<render::ViewFrom> sideOf(const PictureCamera& camera);

/// Puts the picture on a plane of the world `beyond` metres beyond the pivot, with its middle at the camera's place.
void putOnPlane(PictureCamera& camera, const Eigen::Vector2d& size, const Eigen::Vector3d& pivot, double beyond);
/// Puts a picture on a plane before a pinhole that faces the same way.
void putBeforePinhole(PictureCamera& camera, const Eigen::Vector3d& pivot, double focal);
/// Moves a picture on a plane along its rays until it is `beyond` metres beyond the pivot.
void setBeyond(PictureCamera& camera, const Eigen::Vector3d& pivot, double beyond);

}  // namespace limber::app
