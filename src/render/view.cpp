// SPDX-License-Identifier: MIT
#include "render/view.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace limber::render {

namespace {

constexpr double kParallel = 1e-6;      // sine of the angle below which forward and up count as parallel
constexpr double kViewMargin = 1.08;    // relative to the framed box, on each side
constexpr double kNearRatio = 5e-3;     // of the near plane, relative to the distance between eye and centre
constexpr double kFarRatio = 60.0;      // the same for the far plane: the ground fades before it
constexpr double kGroundSeen = 8.0;     // of an orthographic view, before and behind the centre; times viewDistance()
constexpr double kEmptyHalfSize = 0.5;  // metres, for a box without extent

struct Axes {
  Eigen::Vector3d right, up, forward;
};

Axes cameraAxes(const View& view) {
  const Eigen::Vector3d forward = forwardDirection(view);
  Eigen::Vector3d right = forward.cross(view.up);
  if (!(right.norm() > kParallel * view.up.norm()))
    right = forward.cross(std::abs(forward.z()) < 0.9 ? Eigen::Vector3d::UnitZ() : Eigen::Vector3d::UnitX());
  right.normalize();
  return {right, right.cross(forward), forward};
}

double aspect(const View& view) { return static_cast<double>(std::max(view.width, 1)) / std::max(view.height, 1); }

double tangentOf(const View& view) { return std::tan(0.5 * view.fieldOfView); }

/// Half the height that the picture shows at a depth before the eye.
double halfHeightAt(const View& view, double depth) {
  return (isOrthographic(view) ? 0.5 * view.orthographicHeight : tangentOf(view) * depth) / view.magnification;
}

constexpr std::string_view kSideNames[] = {"home", "front", "back", "right", "left", "top", "bottom"};

}  // namespace

namespace {

Eigen::Vector3d backwardFromUnturned(ViewFrom side, bool planar) {
  switch (side) {
    case ViewFrom::ThreeQuarters:
      return planar ? Eigen::Vector3d(Eigen::Vector3d::UnitZ()) : Eigen::Vector3d(0.62, 0.30, 1.0).normalized();
    case ViewFrom::Front: return Eigen::Vector3d::UnitZ();
    case ViewFrom::Back: return -Eigen::Vector3d::UnitZ();
    case ViewFrom::Right: return Eigen::Vector3d::UnitX();
    case ViewFrom::Left: return -Eigen::Vector3d::UnitX();
    case ViewFrom::Top: return Eigen::Vector3d::UnitY();
    case ViewFrom::Bottom: return -Eigen::Vector3d::UnitY();
  }
  return Eigen::Vector3d::UnitZ();
}

/// Quarter turns about y, exactly.
Eigen::Vector3d turnedAboutUp(const Eigen::Vector3d& v, int quarters) {
  switch (quarters & 3) {
    case 1: return {v.z(), v.y(), -v.x()};
    case 2: return {-v.x(), v.y(), -v.z()};
    case 3: return {-v.z(), v.y(), v.x()};
    default: return v;
  }
}

}  // namespace

Eigen::Vector3d backwardFrom(ViewFrom side, bool planar, int frontTurns) {
  return turnedAboutUp(backwardFromUnturned(side, planar), frontTurns);
}

std::string_view nameOf(ViewFrom side) { return kSideNames[static_cast<int>(side)]; }

std::optional<ViewFrom> viewFromNamed(std::string_view name) {
  for (const ViewFrom side : kViewsFrom)
    if (nameOf(side) == name) return side;
  return std::nullopt;
}

Eigen::Vector3d forwardDirection(const View& view) {
  const Eigen::Vector3d toCentre = view.centre - view.eye;
  const double distance = toCentre.norm();
  return distance > 0.0 ? Eigen::Vector3d(toCentre / distance) : Eigen::Vector3d(-Eigen::Vector3d::UnitZ());
}

Eigen::Matrix4d cameraFromWorld(const View& view) {
  const Axes axes = cameraAxes(view);
  Eigen::Matrix4d m = Eigen::Matrix4d::Identity();
  m.row(0).head<3>() = axes.right;
  m.row(1).head<3>() = axes.up;
  m.row(2).head<3>() = -axes.forward;
  m.topRightCorner<3, 1>() = -m.topLeftCorner<3, 3>() * view.eye;
  return m;
}

double viewDistance(const View& view) {
  return isOrthographic(view) ? 0.5 * view.orthographicHeight / tangentOf(view) : (view.eye - view.centre).norm();
}

View asOrthographic(View view) {
  view.orthographicHeight = 2.0 * tangentOf(view) * viewDistance(view);
  return view;
}

Eigen::Matrix4d clipFromCamera(const View& view) {
  const double depth = view.nearPlane - view.farPlane;
  Eigen::Matrix4d m = Eigen::Matrix4d::Zero();
  if (isOrthographic(view)) {
    const double scale = 2.0 * view.magnification / view.orthographicHeight;
    m(0, 0) = scale / aspect(view);
    m(1, 1) = scale;
    m(2, 2) = 2.0 / depth;
    m(2, 3) = (view.farPlane + view.nearPlane) / depth;
    m(3, 3) = 1.0;
    m.block<2, 1>(0, 3) = view.shift;
    return m;
  }
  const double scale = view.magnification / tangentOf(view);
  m(0, 0) = scale / aspect(view);
  m(1, 1) = scale;
  m(2, 2) = (view.farPlane + view.nearPlane) / depth;
  m(2, 3) = 2.0 * view.farPlane * view.nearPlane / depth;
  m(3, 2) = -1.0;
  m.block<2, 1>(0, 2) = -view.shift;
  return m;
}

Ray rayThroughPixel(const View& view, double x, double y) {
  const Axes axes = cameraAxes(view);
  const double halfHeight = halfHeightAt(view, 1.0);
  const double across = (2.0 * x / std::max(view.width, 1) - 1.0 - view.shift.x()) * halfHeight * aspect(view);
  const double along = (1.0 - 2.0 * y / std::max(view.height, 1) - view.shift.y()) * halfHeight;
  const Eigen::Vector3d aside = across * axes.right + along * axes.up;
  if (isOrthographic(view)) return {view.eye + aside, axes.forward};
  return {view.eye, (axes.forward + aside).normalized()};
}

std::optional<Eigen::Vector2d> projectToPixel(const View& view, const Eigen::Vector3d& point) {
  const Axes axes = cameraAxes(view);
  const Eigen::Vector3d offset = point - view.eye;
  const double depth = offset.dot(axes.forward);
  if (!(depth > 0.0)) return std::nullopt;
  const double halfHeight = halfHeightAt(view, depth);
  const double x = offset.dot(axes.right) / (halfHeight * aspect(view)) + view.shift.x();
  const double y = offset.dot(axes.up) / halfHeight + view.shift.y();
  return Eigen::Vector2d(0.5 * (x + 1.0) * view.width, 0.5 * (1.0 - y) * view.height);
}

double pixelSize(const View& view, const Eigen::Vector3d& point) {
  const double depth = std::max((point - view.eye).dot(forwardDirection(view)), view.nearPlane);
  return 2.0 * halfHeightAt(view, depth) / std::max(view.height, 1);
}

View frameBox(View view, const Eigen::Vector3d& boundsMin, const Eigen::Vector3d& boundsMax) {
  view.magnification = 1.0;
  view.shift.setZero();
  const Axes axes = cameraAxes(view);
  Eigen::Vector3d half = 0.5 * (boundsMax - boundsMin);
  if (!(half.maxCoeff() > 0.0)) half.setConstant(kEmptyHalfSize);
  const double tangentY = tangentOf(view);
  const double tangentX = tangentY * aspect(view);

  // The nearest distance at which each corner is inside the four side planes.
  double distance = 0.0, halfHeight = 0.0;
  for (int corner = 0; corner < 8; ++corner) {
    const Eigen::Vector3d offset =
        half.cwiseProduct(Eigen::Vector3d(corner & 1 ? 1.0 : -1.0, corner & 2 ? 1.0 : -1.0, corner & 4 ? 1.0 : -1.0));
    const double across = kViewMargin * std::abs(offset.dot(axes.right)) / tangentX;
    const double along = kViewMargin * std::abs(offset.dot(axes.up)) / tangentY;
    distance = std::max(distance, std::max(across, along) - offset.dot(axes.forward));
    halfHeight = std::max(halfHeight, std::max(across, along) * tangentY);
  }
  view.centre = 0.5 * (boundsMin + boundsMax);
  view.eye = view.centre - distance * axes.forward;
  if (isOrthographic(view)) view.orthographicHeight = 2.0 * halfHeight;
  fitDepthRange(view, boundsMin, boundsMax);
  return view;
}

View frameCameraBox(View view, const Eigen::Vector3d& boxMin, const Eigen::Vector3d& boxMax) {
  view.magnification = 1.0;
  view.shift.setZero();
  const Axes axes = cameraAxes(view);
  Eigen::Vector3d half = 0.5 * (boxMax - boxMin);
  if (!(half.maxCoeff() > 0.0)) half.setConstant(kEmptyHalfSize);
  const double halfHeight = kViewMargin * std::max(half.x() / aspect(view), half.y());
  const double distance = halfHeight / tangentOf(view) + half.z();
  const Eigen::Vector3d middle = 0.5 * (boxMin + boxMax);
  view.centre = middle.x() * axes.right + middle.y() * axes.up + middle.z() * axes.forward;
  view.eye = view.centre - distance * axes.forward;
  if (isOrthographic(view)) view.orthographicHeight = 2.0 * halfHeight;
  const Eigen::Vector3d reach = Eigen::Vector3d::Constant(half.norm());
  fitDepthRange(view, view.centre - reach, view.centre + reach);
  return view;
}

View frameFigure(const Eigen::Vector3d& boundsMin, const Eigen::Vector3d& boundsMax, bool planar, int width, int height,
                 ViewFrom side, int frontTurns) {
  View view;
  view.width = width;
  view.height = height;
  view.centre.setZero();
  view.eye = backwardFrom(side, planar, frontTurns);
  if (std::abs(view.eye.y()) == 1.0)  // the front is at the bottom
    view.up = -view.eye.y() * backwardFrom(ViewFrom::Front, planar, frontTurns);
  return frameBox(view, boundsMin, boundsMax);
}

void fitDepthRange(View& view, const Eigen::Vector3d& boundsMin, const Eigen::Vector3d& boundsMax) {
  const double distance = std::max(viewDistance(view), 1e-9);
  const double reach = distance + (boundsMax - boundsMin).norm() + (0.5 * (boundsMin + boundsMax) - view.centre).norm();
  if (isOrthographic(view)) {
    const double seen = std::max(reach, kGroundSeen * distance);
    view.eye = view.centre - seen * forwardDirection(view);
    view.nearPlane = kNearRatio * distance;
    view.farPlane = 2.0 * seen;
    return;
  }
  view.nearPlane = kNearRatio * distance;
  view.farPlane = kFarRatio * reach;
}

}  // namespace limber::render
