// SPDX-License-Identifier: MIT
// Where the eye is and how the picture is projected; the one projection and the one unprojection of the program.
// Plain numbers: no GL, no window.
#pragma once

#include <Eigen/Core>
#include <optional>

namespace limber::render {

/// Perspective view. Pixels count from the top left corner, y down, as window systems do.
struct View {
  Eigen::Vector3d eye = Eigen::Vector3d(0.0, 1.0, 5.0);   ///< world, metres
  Eigen::Vector3d centre = Eigen::Vector3d(0.0, 1.0, 0.0);///< the point looked at
  Eigen::Vector3d up = Eigen::Vector3d::UnitY();
  double fieldOfView = 0.7;                               ///< vertical, radians
  double nearPlane = 0.01;                                ///< metres
  double farPlane = 1000.0;                               ///< metres
  int width = 1;                                          ///< pixels
  int height = 1;                                         ///< pixels

  bool operator==(const View&) const = default;
};

struct Ray {
  Eigen::Vector3d origin;
  Eigen::Vector3d direction;  ///< unit
};

/// Camera-from-world and clip-from-camera, OpenGL's conventions (camera looks along -z, clip depth -1 to 1).
/// A view that looks along its own up vector gets another one; a view without extent looks along -z.
Eigen::Matrix4d cameraFromWorld(const View& view);
Eigen::Matrix4d clipFromCamera(const View& view);

/// The ray through a pixel position. It starts at the eye.
Ray rayThroughPixel(const View& view, double x, double y);

/// The pixel of a world point; nothing when it lies behind the eye.
std::optional<Eigen::Vector2d> projectToPixel(const View& view, const Eigen::Vector3d& point);

/// Unit vector from the eye to the centre.
Eigen::Vector3d forwardDirection(const View& view);

/// The length in the world that one pixel covers at a point's depth. A point behind the eye counts as on the near
/// plane.
double pixelSize(const View& view, const Eigen::Vector3d& point);

/// The same view direction, moved so that the box fills the picture with a margin. Near and far planes follow.
/// An empty box (a point) counts as one metre wide.
View frameBox(View view, const Eigen::Vector3d& boundsMin, const Eigen::Vector3d& boundsMax);

/// The same for a box along the camera's axes: its corners are products of world points with right, up and forward.
View frameCameraBox(View view, const Eigen::Vector3d& boxMin, const Eigen::Vector3d& boxMax);

/// The view that a file opens with and the Home key returns to: three quarters from the front and a little above;
/// for a planar figure straight along -z.
View frameFigure(const Eigen::Vector3d& boundsMin, const Eigen::Vector3d& boundsMax, bool planar, int width,
                 int height);

/// Near and far planes for the present distance of eye and centre: close enough to zoom, far enough for the ground.
void fitDepthRange(View& view, const Eigen::Vector3d& boundsMin, const Eigen::Vector3d& boundsMax);

}  // namespace limber::render
