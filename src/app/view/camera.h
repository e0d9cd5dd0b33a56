// SPDX-License-Identifier: MIT
// The orbit camera: where the user looks from. Numbers only; render::View does all projecting.
#pragma once

#include <Eigen/Core>
#include <numbers>

#include "app/settings/layout.h"
#include "render/view.h"

namespace limber::app {

struct Camera {
  double yaw = 0.0;       ///< about y, radians; 0 looks along -z
  double pitch = 0.0;     ///< above the horizon, radians, within +-kMaxPitch
  double distance = 5.0;  ///< from eye to centre, metres; of an orthographic view as render::viewDistance has it
  bool isOrthographic = false;
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();  ///< what it turns about
  double magnification = 1.0;                        ///< as render::View has it
  Eigen::Vector2d shift = Eigen::Vector2d::Zero();   ///< likewise
  Eigen::Vector3d boundsMin = Eigen::Vector3d::Zero();  ///< of the scene; near and far planes follow them
  Eigen::Vector3d boundsMax = Eigen::Vector3d::Zero();
};

inline constexpr double kMaxPitch = 0.5 * std::numbers::pi;  ///< straight from above, and from below
inline constexpr double kOrbitPerHeight = 4.0;  ///< radians for a drag across the height of the picture
inline constexpr double kZoomPerStep = 0.88;    ///< distance factor of one wheel step

/// What the camera sees in a picture of width x height pixels (at least 1 x 1).
render::View viewOf(const Camera& camera, int width, int height);

/// Turns by a mouse movement in pixels: the scene follows the mouse.
void orbit(Camera& camera, double dx, double dy, int height);

/// Keeps the eye from going below a floor at this height: raises `camera`, which was `before`, as far as its gesture may,
/// by its pitch or, where it was panned, as a whole. True when it had to. What looks up from below already is free; an
/// orthographic view stops at the horizon, or where a perspective one below it would still be above the floor.
bool keepAboveFloor(Camera& camera, const Camera& before, double floor, bool isPanned);

/// Turns about the eye in place of the centre: the head turns the way the mouse goes.
void look(Camera& camera, double dx, double dy, int height);

/// Shifts by a mouse movement in pixels: the point under the cursor, at the centre's depth, stays under it.
void pan(Camera& camera, double dx, double dy, int width, int height);

/// Zooms by wheel steps (positive: nearer). The point under the cursor, at the centre's depth, stays under it.
void zoom(Camera& camera, double steps, double x, double y, int width, int height);

/// The picture takes another place in the window, both in pixels: all that is in it stays where it is on the screen.
void keepInPlace(Camera& camera, const Rectangle& before, const Rectangle& after);
/// The centre is in the middle again, and the picture shows all of the field of view.
void recentre(Camera& camera);

/// Keeps the direction and moves so that the box fills the picture.
void frameBounds(Camera& camera, const Eigen::Vector3d& boundsMin, const Eigen::Vector3d& boundsMax, int width,
                 int height);

/// True where it looks straight along z in parallel projection: the plane of a planar figure without perspective.
bool seesPlane(const Camera& camera);

/// Turned to look from a side; nothing else changes.
Camera seenFrom(Camera camera, render::ViewFrom side, bool planar);

/// What a share t of the way leads to, from 0 to 1, the shorter way around.
Camera between(const Camera& from, const Camera& to, double t);

/// The view that a figure opens with: planar figures along -z, others from three quarters.
Camera frameAll(const Eigen::Vector3d& boundsMin, const Eigen::Vector3d& boundsMax, bool planar, int width,
                int height);

}  // namespace limber::app
