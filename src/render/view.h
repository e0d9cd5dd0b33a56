// SPDX-License-Identifier: MIT
// Where the eye is and how the picture is projected; the one projection and the one unprojection of the program.
// Plain numbers: no GL, no window.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string_view>

namespace limber::render {

/// A perspective view, or an orthographic one. Pixels count from the top left corner, y down, as window systems do.
///
/// An orthographic view has no point from which it looks: `eye` then stands behind all that is shown, so that what is
/// before the eye is what can be seen, in both (fitDepthRange).
struct View {
  Eigen::Vector3d eye = Eigen::Vector3d(0.0, 1.0, 5.0);   ///< world, metres
  Eigen::Vector3d centre = Eigen::Vector3d(0.0, 1.0, 0.0);///< the point looked at
  Eigen::Vector3d up = Eigen::Vector3d::UnitY();
  double fieldOfView = 0.7;                               ///< vertical, radians
  double orthographicHeight = 0.0;  ///< metres from the picture's top to its bottom; 0: perspective
  double magnification = 1.0;       ///< more than 1: the picture shows that much less than the field of view
  Eigen::Vector2d shift = Eigen::Vector2d::Zero();  ///< where the centre is seen, from the picture's middle: to the right
                                                    ///< and upward, in halves of its width and height
  double nearPlane = 0.01;                                ///< metres
  double farPlane = 1000.0;                               ///< metres
  int width = 1;                                          ///< pixels
  int height = 1;                                         ///< pixels

  bool operator==(const View&) const = default;
};

/// The sides from which to look. Front is from +z, where figures look to; right is from +x, top from +y.
enum class ViewFrom { ThreeQuarters, Front, Back, Right, Left, Top, Bottom };

/// Where the eye stands from a centre: unit vector. `planar` turns three quarters into the front.
Eigen::Vector3d backwardFrom(ViewFrom side, bool planar = false);

/// "front", "top"; three quarters are "home".
std::string_view nameOf(ViewFrom side);
/// By that name; nothing for another.
std::optional<ViewFrom> viewFromNamed(std::string_view name);
inline constexpr ViewFrom kViewsFrom[] = {ViewFrom::ThreeQuarters, ViewFrom::Front, ViewFrom::Back,  ViewFrom::Right,
                                  ViewFrom::Left,          ViewFrom::Top,   ViewFrom::Bottom};

struct Ray {
  Eigen::Vector3d origin;
  Eigen::Vector3d direction;  ///< unit
};

/// Camera-from-world and clip-from-camera, OpenGL's conventions (camera looks along -z, clip depth -1 to 1).
/// A view that looks along its own up vector gets another one; a view without extent looks along -z.
Eigen::Matrix4d cameraFromWorld(const View& view);
Eigen::Matrix4d clipFromCamera(const View& view);

inline bool isOrthographic(const View& view) { return view.orthographicHeight > 0.0; }

/// How far the eye is from the centre; of an orthographic view, the distance from which a perspective one would show
/// the centre as large.
double viewDistance(const View& view);

/// The same picture at the centre's depth, in parallel projection or back in perspective.
View asOrthographic(View view);
View asPerspective(View view);

/// The ray through a pixel position. It starts at the eye, of an orthographic view in the plane through it.
Ray rayThroughPixel(const View& view, double x, double y);

/// The pixel of a world point; nothing when it lies behind the eye.
std::optional<Eigen::Vector2d> projectToPixel(const View& view, const Eigen::Vector3d& point);

/// Unit vector from the eye to the centre.
Eigen::Vector3d forwardDirection(const View& view);

/// The length in the world that one pixel covers at a point's depth: of an orthographic view the same everywhere. A
/// point behind the eye counts as on the near plane.
double pixelSize(const View& view, const Eigen::Vector3d& point);

/// The same view direction, moved so that the box fills the picture with a margin, its centre in the middle. Near and
/// far planes follow.
/// An empty box (a point) counts as one metre wide.
View frameBox(View view, const Eigen::Vector3d& boundsMin, const Eigen::Vector3d& boundsMax);

/// The same for a box along the camera's axes: its corners are products of world points with right, up and forward.
View frameCameraBox(View view, const Eigen::Vector3d& boxMin, const Eigen::Vector3d& boxMax);

/// The view that a file opens with: three quarters from the front and a little above; for a planar figure straight
/// along -z. Or from another side.
View frameFigure(const Eigen::Vector3d& boundsMin, const Eigen::Vector3d& boundsMax, bool planar, int width,
                 int height, ViewFrom side = ViewFrom::ThreeQuarters);

/// Near and far planes for the present distance of eye and centre: close enough to zoom, far enough for the ground. An
/// orthographic view's eye is put behind the box and the ground in sight.
void fitDepthRange(View& view, const Eigen::Vector3d& boundsMin, const Eigen::Vector3d& boundsMax);

}  // namespace limber::render
