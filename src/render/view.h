// SPDX-License-Identifier: MIT
// The position of the eye and the projection of the picture, with the program's only projection and unprojection.
// Without OpenGL and without a window.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string_view>

namespace limber::render {

/// A perspective or orthographic view. Pixels count from the top left corner, y down, as in window systems.
///
/// An orthographic view has no eye point; its `eye` is placed so that all that is shown is before it (fitDepthRange).
struct View {
  Eigen::Vector3d eye = Eigen::Vector3d(0.0, 1.0, 5.0);     ///< world, metres
  Eigen::Vector3d centre = Eigen::Vector3d(0.0, 1.0, 0.0);  ///< the point looked at
  Eigen::Vector3d up = Eigen::Vector3d::UnitY();
  double fieldOfView = 0.7;         ///< vertical, radians
  double orthographicHeight = 0.0;  ///< metres from the picture's top to its bottom; 0: perspective
  double magnification = 1.0;       ///< more than 1 shows a part of the field of view, so many times smaller
  /// Offset of the centre from the middle of the picture: right and up, in halves of its width and height.
  Eigen::Vector2d shift = Eigen::Vector2d::Zero();
  double nearPlane = 0.01;   ///< metres
  double farPlane = 1000.0;  ///< metres
  int width = 1;             ///< pixels
  int height = 1;            ///< pixels

  bool operator==(const View&) const = default;
};

/// Directions of view. Front looks from +z, where figures face; right looks from +x, top from +y.
enum class ViewFrom { ThreeQuarters, Front, Back, Right, Left, Top, Bottom };

/// Unit vector from a centre to the eye. `planar` replaces three quarters by the front. frontTurns: quarter turns about
/// y from +z to the front.
Eigen::Vector3d backwardFrom(ViewFrom side, bool planar = false, int frontTurns = 0);

/// "front", "top", ...; "home" for three quarters.
std::string_view nameOf(ViewFrom side);
/// The view of that name, if there is one.
std::optional<ViewFrom> viewFromNamed(std::string_view name);
inline constexpr ViewFrom kViewsFrom[] = {ViewFrom::ThreeQuarters, ViewFrom::Front, ViewFrom::Back,  ViewFrom::Right,
                                          ViewFrom::Left,          ViewFrom::Top,   ViewFrom::Bottom};

struct Ray {
  Eigen::Vector3d origin;
  Eigen::Vector3d direction;  ///< unit
};

/// Camera-from-world and clip-from-camera by OpenGL's conventions: the camera looks along -z, clip depth is -1 to 1. A
/// view along its own up vector gets another one; a view whose eye is at its centre looks along -z.
Eigen::Matrix4d cameraFromWorld(const View& view);
Eigen::Matrix4d clipFromCamera(const View& view);

inline bool isOrthographic(const View& view) { return view.orthographicHeight > 0.0; }

/// Distance of the eye from the centre; for an orthographic view, the distance at which a perspective view would show
/// the centre as large.
double viewDistance(const View& view);

/// The view in parallel projection that shows the centre as large.
View asOrthographic(View view);

/// The ray through a pixel position. It starts at the eye, or for an orthographic view in the plane through the eye.
Ray rayThroughPixel(const View& view, double x, double y);

/// The pixel position of a world point; nothing for a point behind the eye.
std::optional<Eigen::Vector2d> projectToPixel(const View& view, const Eigen::Vector3d& point);

/// Unit vector from the eye to the centre.
Eigen::Vector3d forwardDirection(const View& view);

/// The length in the world that one pixel covers at a point's depth; constant for an orthographic view. A point behind
/// the eye counts as on the near plane.
double pixelSize(const View& view, const Eigen::Vector3d& point);

/// The view moved, without turning, so that the box fills the picture with a margin and its centre is in the middle.
/// Sets near and far planes. A box without extent counts as one metre wide.
View frameBox(View view, const Eigen::Vector3d& boundsMin, const Eigen::Vector3d& boundsMax);

/// The same for a box along the camera's axes, in coordinates along right, up and forward.
View frameCameraBox(View view, const Eigen::Vector3d& boxMin, const Eigen::Vector3d& boxMax);

/// The view of a newly opened file: three quarters from the front and slightly above, for a planar figure along -z; or
/// from another side.
View frameFigure(const Eigen::Vector3d& boundsMin, const Eigen::Vector3d& boundsMax, bool planar, int width, int height,
                 ViewFrom side = ViewFrom::ThreeQuarters, int frontTurns = 0);

/// Sets near and far planes for the current distance between eye and centre, near enough to zoom and far enough for the
/// ground. Moves an orthographic view's eye behind the box and the visible ground.
void fitDepthRange(View& view, const Eigen::Vector3d& boundsMin, const Eigen::Vector3d& boundsMax);

}  // namespace limber::render
