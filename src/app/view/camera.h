// SPDX-License-Identifier: MIT
// The orbit camera, as numbers. render::View projects.
#pragma once

#include <Eigen/Core>
#include <numbers>
#include <optional>

#include "app/settings/layout.h"
#include "limber/scene/document.h"
#include "limber/vision/picture_camera.h"
#include "render/view.h"

namespace limber::app {

/// The view through the camera of a picture, which is fitted into the window, then magnified and shifted.
struct LookThrough {
  bool isOn = false;
  PictureCamera camera;
  Eigen::Vector2d size = Eigen::Vector2d::Ones();   ///< of the picture, in its pixels
  double zoom = 1.0;                                ///< 1: the whole picture
  Eigen::Vector2d shift = Eigen::Vector2d::Zero();  ///< right and up, in halves of the window's width and height
};

struct Camera {
  double yaw = 0.0;       ///< about y, radians; 0 looks along -z
  double pitch = 0.0;     ///< above the horizon, radians, within +-kMaxPitch
  double distance = 5.0;  ///< from eye to centre, metres; if orthographic, that of render::viewDistance
  bool isOrthographic = false;
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();     ///< about which it orbits, world
  double magnification = 1.0;                           ///< as in render::View
  Eigen::Vector2d shift = Eigen::Vector2d::Zero();      ///< the same
  bool isFitted = false;                                ///< keepInSight() has fitted the scene into the picture
  LookThrough through;                                  ///< while on, it replaces the fields above; they are kept
  Eigen::Vector3d boundsMin = Eigen::Vector3d::Zero();  ///< of the scene, for near and far planes
  Eigen::Vector3d boundsMax = Eigen::Vector3d::Zero();
};

inline constexpr double kMaxPitch = 0.5 * std::numbers::pi;  ///< straight from above, and from below
inline constexpr double kOrbitPerHeight = 4.0;               ///< radians for a drag across the height of the picture
inline constexpr double kTurnSeconds = 0.18;                 ///< duration of a CameraTurn
inline constexpr double kZoomPerStep = 0.88;                 ///< distance factor of one wheel step

/// Turns the camera to the view that a scene has stored, and ends keepInPlace().
void takeStoredView(Camera& camera, const StoredView& view);
StoredView storedViewOf(const Camera& camera);

/// The camera's view in a picture of width x height pixels (at least 1 x 1).
render::View viewOf(const Camera& camera, int width, int height);

/// The camera of a picture of `size` pixels whose view is the part of this view into which the picture is fitted. An
/// orthographic view gives parallel rays.
PictureCamera pictureCameraOf(const render::View& view, const Eigen::Vector2d& size);

/// Orbits by a mouse movement in pixels; the scene follows the mouse.
void orbit(Camera& camera, double dx, double dy, int height);

/// Keeps the eye above a floor at height `floor` (metres): raises `camera`, which a gesture has moved from `before`, by
/// its pitch or, if it was panned, as a whole. Returns true if it had to. A camera that was below the floor already is
/// not raised; the pitch of an orthographic one stays above the horizon, or above its pitch before if that was lower.
bool keepAboveFloor(Camera& camera, const Camera& before, double floor, bool isPanned);

/// Turns about the eye instead of the centre, by a mouse movement in pixels.
void look(Camera& camera, double dx, double dy, int height);

/// Pans by a mouse movement in pixels: the point under the cursor, at the centre's depth, stays under it. In the
/// view through a picture's camera, picture and figure move together, here and in zoom().
void pan(Camera& camera, double dx, double dy, int width, int height);

/// Zooms by wheel steps (positive: nearer). The point under the cursor, at the centre's depth, stays under it.
void zoom(Camera& camera, double steps, double x, double y, int width, int height);

/// Keeps the scene in place on the screen when the picture's rectangle in the window, in pixels, changes.
void keepInPlace(Camera& camera, const Rectangle& before, const Rectangle& after);
/// The same, unless a scene that was seen whole would then be cut: it is centred and fitted into the picture instead.
/// From then on (isFitted) every change fits it anew, so that the scene is as large as before when the panel closes.
void keepInSight(Camera& camera, const Rectangle& before, const Rectangle& after);
/// Undoes keepInPlace(): the centre is in the middle, and the picture shows the whole field of view.
void recentre(Camera& camera);

/// Moves the camera, without turning it, so that the box fills the picture.
void frameBounds(Camera& camera, const Eigen::Vector3d& boundsMin, const Eigen::Vector3d& boundsMax, int width,
                 int height);

/// True if the camera is orthographic and looks along the z axis, at the plane of planar figures.
bool seesPlane(const Camera& camera);

/// The camera turned to look from a side, otherwise unchanged. frontTurns: as in render::DrawList.
Camera seenFrom(Camera camera, render::ViewFrom side, bool planar, int frontTurns = 0);

/// Interpolates with t in [0, 1], along the shorter way around.
Camera between(const Camera& from, const Camera& to, double t);

/// The view that a figure opens with: planar figures along -z, others from three quarters.
Camera frameAll(const Eigen::Vector3d& boundsMin, const Eigen::Vector3d& boundsMax, bool planar, int width, int height,
                int frontTurns = 0);

/// The short animation of the camera from one view to another, which shows how they relate.
struct CameraTurn {
  Camera from, to;
  double started = 0.0;  ///< seconds
};

/// The camera at the time `now` (seconds) of a turn, which must be set. At its end the turn is reset.
Camera advanceTurn(std::optional<CameraTurn>& turn, double now);

/// The camera at the end of the turn, or `present` without one.
const Camera& endOf(const std::optional<CameraTurn>& turn, const Camera& present);

}  // namespace limber::app
