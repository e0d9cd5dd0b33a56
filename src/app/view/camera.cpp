// SPDX-License-Identifier: MIT
#include "app/view/camera.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace limber::app {

namespace {

constexpr double kMinDistance = kNearestView;
constexpr double kMaxDistance = kFarthestView;
constexpr double kLeastDepth = 0.01;  // metres ahead of a picture's camera
constexpr double kLeastZoom = 0.05;
constexpr double kMostZoom = 200.0;
constexpr double kLeastHeight = 0.02;  // of the eye above the floor, relative to its distance

/// The unit direction from the centre to the eye.
Eigen::Vector3d backward(const Camera& camera) {
  return {std::cos(camera.pitch) * std::sin(camera.yaw), std::sin(camera.pitch),
          std::cos(camera.pitch) * std::cos(camera.yaw)};
}

/// The unit up direction of the picture, normal to the line of sight even if that is vertical.
Eigen::Vector3d upward(const Camera& camera) {
  return {-std::sin(camera.pitch) * std::sin(camera.yaw), std::cos(camera.pitch),
          -std::sin(camera.pitch) * std::cos(camera.yaw)};
}

void adopt(Camera& camera, const render::View& view) {
  const Eigen::Vector3d offset = view.eye - view.centre;
  camera.distance = std::clamp(render::viewDistance(view), kMinDistance, kMaxDistance);
  camera.isOrthographic = render::isOrthographic(view);
  camera.centre = view.centre;
  recentre(camera);
  if (!(offset.norm() > 0.0)) return;
  camera.pitch = std::clamp(std::asin(std::clamp(offset.y() / offset.norm(), -1.0, 1.0)), -kMaxPitch, kMaxPitch);
  camera.yaw = std::atan2(offset.x(), offset.z());
}

/// Where the ray through a pixel meets the plane through the centre that faces the camera.
Eigen::Vector3d pointAtCentreDepth(const render::View& view, double x, double y) {
  const render::Ray ray = render::rayThroughPixel(view, x, y);
  const Eigen::Vector3d forward = render::forwardDirection(view);
  const double along = ray.direction.dot(forward);
  return ray.origin + ray.direction * ((view.centre - view.eye).dot(forward) / std::max(along, 1e-6));
}

/// The part of half the picture that the scene reaches to, from its middle; above 1 if the scene is cut.
double coveredBy(const Camera& camera, const Rectangle& area) {
  const render::View view =
      viewOf(camera, static_cast<int>(std::lround(area.width)), static_cast<int>(std::lround(area.height)));
  double covered = 0.0;
  for (unsigned corner = 0; corner < 8; ++corner) {
    const Eigen::Vector3d at(corner & 1 ? camera.boundsMin.x() : camera.boundsMax.x(),
                             corner & 2 ? camera.boundsMin.y() : camera.boundsMax.y(),
                             corner & 4 ? camera.boundsMin.z() : camera.boundsMax.z());
    const auto pixel = render::projectToPixel(view, at);
    if (!pixel) return std::numeric_limits<double>::infinity();
    covered = std::max(
        {covered, std::abs(2.0 * pixel->x() / view.width - 1.0), std::abs(2.0 * pixel->y() / view.height - 1.0)});
  }
  return covered;
}

/// Window pixels per picture pixel.
double scaleOf(const LookThrough& through, int width, int height) {
  return through.zoom * std::min(width / through.size.x(), height / through.size.y());
}

/// The view's centre has the depth of `centre`, which does not move with the figure: a drag must not change the view.
render::View viewThrough(const LookThrough& through, const Eigen::Vector3d& centre, int width, int height) {
  const PictureCamera& camera = through.camera;
  const Eigen::Matrix3d& axes = camera.worldFromCamera.rotation;
  const double scale = scaleOf(through, width, height);
  const Eigen::Vector2d offset = scale * (camera.centre - 0.5 * through.size);  // of the principal point
  render::View view{.width = width, .height = height};
  view.eye = camera.worldFromCamera.translation;
  view.up = -axes.col(1);
  if (camera.isParallel) {
    view.orthographicHeight = height / (scale * camera.focal);
    view.centre = view.eye + camera.depthOf(centre) * axes.col(2);
    view.eye = view.centre - render::viewDistance(view) * axes.col(2);
  } else {
    view.centre = view.eye + std::max(camera.depthOf(centre), kLeastDepth) * axes.col(2);
    view.fieldOfView = 2.0 * std::atan(0.5 * height / (scale * camera.focal));
  }
  view.shift = through.shift + Eigen::Vector2d(2.0 * offset.x() / width, -2.0 * offset.y() / height);
  return view;
}

void zoomThrough(LookThrough& through, double steps, double x, double y, int width, int height) {
  const Eigen::Vector2d cursor(2.0 * x / width - 1.0, 1.0 - 2.0 * y / height);
  const double before = through.zoom;
  through.zoom = std::clamp(before * std::pow(kZoomPerStep, -steps), kLeastZoom, kMostZoom);
  through.shift = cursor + through.zoom / before * (through.shift - cursor);
}

}  // namespace

void takeStoredView(Camera& camera, const StoredView& view) {
  camera.yaw = view.azimuth;
  camera.pitch = view.elevation;
  camera.distance = view.distance;
  camera.isOrthographic = view.isOrthographic;
  camera.centre = view.centre;
  recentre(camera);
}

StoredView storedViewOf(const Camera& camera) {
  return {camera.centre, camera.yaw, camera.pitch, camera.distance, camera.isOrthographic};
}

PictureCamera pictureCameraOf(const render::View& view, const Eigen::Vector2d& size) {
  const double scale = std::min(view.width / size.x(), view.height / size.y());
  const Eigen::Vector3d ahead = render::forwardDirection(view), right = ahead.cross(view.up).normalized();
  const bool isParallel = render::isOrthographic(view);
  const double shown = isParallel ? 0.5 * view.orthographicHeight : std::tan(0.5 * view.fieldOfView);
  const Eigen::Vector2d offset(0.5 * view.width * view.shift.x(), -0.5 * view.height * view.shift.y());
  PictureCamera camera{.focal = view.magnification * 0.5 * view.height / shown / scale,
                       .centre = 0.5 * size + offset / scale,
                       .isParallel = isParallel};
  camera.worldFromCamera.rotation << right, ahead.cross(right), ahead;
  camera.worldFromCamera.translation = view.centre - (isParallel ? 0.0 : render::viewDistance(view)) * ahead;
  return camera;
}

render::View viewOf(const Camera& camera, int width, int height) {
  if (camera.through.isOn) {
    render::View view = viewThrough(camera.through, camera.centre, std::max(width, 1), std::max(height, 1));
    render::fitDepthRange(view, camera.boundsMin, camera.boundsMax);
    return view;
  }
  render::View view;
  view.width = std::max(width, 1);
  view.height = std::max(height, 1);
  view.centre = camera.centre;
  view.eye = camera.centre + camera.distance * backward(camera);
  view.up = upward(camera);
  view.magnification = camera.magnification;
  view.shift = camera.shift;
  if (camera.isOrthographic) view = render::asOrthographic(view);
  render::fitDepthRange(view, camera.boundsMin, camera.boundsMax);
  return view;
}

void orbit(Camera& camera, double dx, double dy, int height) {
  if (camera.through.isOn) return;
  const double perPixel = kOrbitPerHeight / std::max(height, 1);
  camera.yaw = std::remainder(camera.yaw - dx * perPixel, 2.0 * std::numbers::pi);
  camera.pitch = std::clamp(camera.pitch + dy * perPixel, -kMaxPitch, kMaxPitch);
}

bool keepAboveFloor(Camera& camera, const Camera& before, double floor, bool isPanned) {
  const auto heightOf = [&](const Camera& c) { return c.centre.y() + c.distance * std::sin(c.pitch) - floor; };
  if (heightOf(before) < 0.0) return false;  // the user has gone below the floor
  if (camera.isOrthographic) {
    const double least = std::min(before.pitch, 0.0);
    if (camera.pitch >= least) return false;
    camera.pitch = least;
    return true;
  }
  const double least = std::min(kLeastHeight * camera.distance, heightOf(before)), missing = least - heightOf(camera);
  if (!(missing > 0.0)) return false;
  if (isPanned) camera.centre.y() += missing;
  else camera.pitch = std::asin(std::clamp(std::sin(camera.pitch) + missing / camera.distance, -1.0, 1.0));
  return true;
}

void look(Camera& camera, double dx, double dy, int height) {
  if (camera.through.isOn) return;
  const Eigen::Vector3d eye = camera.centre + camera.distance * backward(camera);
  orbit(camera, dx, dy, height);
  camera.centre = eye - camera.distance * backward(camera);
}

void pan(Camera& camera, double dx, double dy, int width, int height) {
  if (camera.through.isOn) {
    camera.through.shift += Eigen::Vector2d(2.0 * dx / std::max(width, 1), -2.0 * dy / std::max(height, 1));
    return;
  }
  const render::View view = viewOf(camera, width, height);
  const double x = 0.5 * view.width, y = 0.5 * view.height;
  camera.centre += pointAtCentreDepth(view, x, y) - pointAtCentreDepth(view, x + dx, y + dy);
}

void zoom(Camera& camera, double steps, double x, double y, int width, int height) {
  if (camera.through.isOn) return zoomThrough(camera.through, steps, x, y, std::max(width, 1), std::max(height, 1));
  const Eigen::Vector3d before = pointAtCentreDepth(viewOf(camera, width, height), x, y);
  camera.distance = std::clamp(camera.distance * std::pow(kZoomPerStep, steps), kMinDistance, kMaxDistance);
  camera.centre += before - pointAtCentreDepth(viewOf(camera, width, height), x, y);
}

void recentre(Camera& camera) {
  camera.magnification = 1.0;
  camera.shift.setZero();
  camera.isFitted = false;
}

void keepInSight(Camera& camera, const Rectangle& before, const Rectangle& after) {
  constexpr double kAll = 1.001, kFilled = 0.97;  // of half the picture
  Camera kept = camera;
  keepInPlace(kept, before, after);
  const bool wasWhole = camera.isFitted || coveredBy(camera, before) <= kAll;
  if (!camera.isFitted && (!wasWhole || coveredBy(kept, after) <= kAll)) {
    camera = kept;
    return;
  }
  recentre(camera);
  if (const double covered = coveredBy(camera, after); covered > kFilled) camera.magnification = kFilled / covered;
  camera.isFitted = true;
}

void keepInPlace(Camera& camera, const Rectangle& before, const Rectangle& after) {
  if (before.width < 1.0 || before.height < 1.0 || after.width < 1.0 || after.height < 1.0) return;
  constexpr double kNothing = 1e-9;                                           // rounding
  const double x = before.x + 0.5 * before.width * (1.0 + camera.shift.x());  // the centre, in pixels of the window
  const double y = before.y + 0.5 * before.height * (1.0 - camera.shift.y());
  camera.magnification *= before.height / after.height;
  camera.shift = {2.0 * (x - after.x) / after.width - 1.0, 1.0 - 2.0 * (y - after.y) / after.height};
  if (camera.shift.norm() < kNothing && std::abs(camera.magnification - 1.0) < kNothing) recentre(camera);
}

void frameBounds(Camera& camera, const Eigen::Vector3d& boundsMin, const Eigen::Vector3d& boundsMax, int width,
                 int height) {
  const double yaw = camera.yaw, pitch = camera.pitch;
  adopt(camera, render::frameBox(viewOf(camera, width, height), boundsMin, boundsMax));
  camera.yaw = yaw;
  camera.pitch = pitch;
}

bool seesPlane(const Camera& camera) {
  return camera.isOrthographic && camera.pitch == 0.0 &&
         (camera.yaw == 0.0 || std::abs(camera.yaw) == std::numbers::pi);
}

Camera seenFrom(Camera camera, render::ViewFrom side, bool planar, int frontTurns) {
  const Eigen::Vector3d back = render::backwardFrom(side, planar, frontTurns);
  const bool isVertical = std::abs(back.y()) == 1.0;
  const Eigen::Vector3d level = isVertical ? render::backwardFrom(render::ViewFrom::Front, planar, frontTurns) : back;
  camera.yaw = std::atan2(level.x(), level.z());
  camera.pitch = isVertical ? back.y() * kMaxPitch : std::asin(back.y());
  return camera;
}

Camera between(const Camera& from, const Camera& to, double t) {
  if (t >= 1.0) return to;
  const auto mix = [t](double a, double b) { return a + t * (b - a); };
  Camera camera = to;
  camera.yaw = from.yaw + t * std::remainder(to.yaw - from.yaw, 2.0 * std::numbers::pi);
  camera.pitch = mix(from.pitch, to.pitch);
  camera.distance = std::exp(mix(std::log(from.distance), std::log(to.distance)));
  camera.centre = from.centre + t * (to.centre - from.centre);
  camera.magnification = mix(from.magnification, to.magnification);
  camera.shift = from.shift + t * (to.shift - from.shift);
  return camera;
}

Camera frameAll(const Eigen::Vector3d& boundsMin, const Eigen::Vector3d& boundsMax, bool planar, int width, int height,
                int frontTurns) {
  Camera camera;
  camera.boundsMin = boundsMin;
  camera.boundsMax = boundsMax;
  adopt(camera, render::frameFigure(boundsMin, boundsMax, planar, std::max(width, 1), std::max(height, 1),
                                    render::ViewFrom::ThreeQuarters, frontTurns));
  return camera;
}

Camera advanceTurn(std::optional<CameraTurn>& turn, double now) {
  const double t = std::clamp((now - turn->started) / kTurnSeconds, 0.0, 1.0);
  const Camera camera = between(turn->from, turn->to, t * t * (3.0 - 2.0 * t));
  if (t >= 1.0) turn.reset();
  return camera;
}

const Camera& endOf(const std::optional<CameraTurn>& turn, const Camera& present) { return turn ? turn->to : present; }

}  // namespace limber::app
