// SPDX-License-Identifier: MIT
#include "app/view/reference_camera.h"

#include <algorithm>
#include <cmath>

#include "app/view/camera.h"

namespace limber::app {

namespace {

constexpr double kLeastDistance = 0.05;         // metres from the pivot
constexpr double kSteepest = kMaxPitch - 1e-3;  // a camera that looks straight down has no heading

/// Camera axes x, y and z in the world, as columns.
Eigen::Matrix3d axesOf(const CameraAngles& angles) {
  const double pitch = std::clamp(angles.pitch, -kSteepest, kSteepest);
  const Eigen::Vector3d ahead(-std::cos(pitch) * std::sin(angles.heading), -std::sin(pitch),
                              -std::cos(pitch) * std::cos(angles.heading));
  const Eigen::Vector3d right = ahead.cross(Eigen::Vector3d::UnitY()).normalized(), down = ahead.cross(right);
  const double cosine = std::cos(angles.roll), sine = std::sin(angles.roll);
  Eigen::Matrix3d axes;
  axes << cosine * right + sine * down, cosine * down - sine * right, ahead;
  return axes;
}

/// The depth of the pivot, metres; at least kLeastDistance for a pinhole.
double depthOf(const PictureCamera& camera, const Eigen::Vector3d& pivot) {
  return camera.isParallel ? camera.depthOf(pivot) : std::max(camera.depthOf(pivot), kLeastDistance);
}

/// The rotation of a camera that looks from a side, with the front of the figure at the bottom of views from above.
Eigen::Matrix3d axesFrom(render::ViewFrom side) {
  const Eigen::Vector3d ahead = -render::backwardFrom(side);
  const bool isVertical = std::abs(ahead.y()) == 1.0;
  const Eigen::Vector3d up = isVertical ? Eigen::Vector3d(0.0, 0.0, ahead.y()) : Eigen::Vector3d::UnitY();
  Eigen::Matrix3d axes;
  axes << ahead.cross(up), -up, ahead;
  return axes;
}

}  // namespace

CameraAngles anglesOf(const PictureCamera& camera) {
  const Eigen::Matrix3d& axes = camera.worldFromCamera.rotation;
  const Eigen::Vector3d ahead = axes.col(2);
  CameraAngles angles{std::atan2(-ahead.x(), -ahead.z()), std::asin(std::clamp(-ahead.y(), -1.0, 1.0)), 0.0};
  const Eigen::Matrix3d level = axesOf(angles);
  angles.roll = std::atan2(axes.col(0).dot(level.col(1)), axes.col(0).dot(level.col(0)));
  return angles;
}

void turnAbout(PictureCamera& camera, const Eigen::Vector3d& pivot, const Eigen::Matrix3d& worldFromCamera) {
  const Eigen::Vector3d inCamera = camera.worldFromCamera.inverse() * pivot;
  camera.worldFromCamera.rotation = worldFromCamera;
  camera.worldFromCamera.translation = pivot - worldFromCamera * inCamera;
}

void turnAbout(PictureCamera& camera, const Eigen::Vector3d& pivot, const CameraAngles& angles) {
  turnAbout(camera, pivot, axesOf(angles));
}

void orbitAbout(PictureCamera& camera, const Eigen::Vector3d& pivot, double dx, double dy, int height) {
  const double perPixel = kOrbitPerHeight / std::max(height, 1);
  CameraAngles angles = anglesOf(camera);
  angles.heading -= dx * perPixel;
  angles.pitch += dy * perPixel;
  turnAbout(camera, pivot, angles);
}

void approach(PictureCamera& camera, const Eigen::Vector3d& pivot, const render::Ray& ray, double factor) {
  const double depth = depthOf(camera, pivot), along = ray.direction.dot(camera.ahead());
  if (!(along > 0.0)) return;
  if (camera.isParallel) {
    const Eigen::Vector3d seen = ray.origin + camera.ahead().dot(pivot - ray.origin) / along * ray.direction;
    return setFocal(camera, seen, camera.focal / factor);
  }
  const double nearer = std::max(depth * factor, kLeastDistance);
  camera.worldFromCamera.translation += (depth - nearer) / along * ray.direction;
}

void slide(PictureCamera& camera, const Eigen::Vector3d& pivot, const render::View& view, double dx, double dy) {
  const double metres = render::pixelSize(view, pivot);
  const Eigen::Matrix3d& axes = camera.worldFromCamera.rotation;
  camera.worldFromCamera.translation -= metres * (dx * axes.col(0) + dy * axes.col(1));
}

void slideTo(PictureCamera& camera, const Eigen::Vector3d& point, const Eigen::Vector2d& pixel) {
  camera.worldFromCamera.translation += point - camera.pointAt(pixel, depthOf(camera, point));
}

void setFocal(PictureCamera& camera, const Eigen::Vector3d& pivot, double focal) {
  if (camera.isParallel) {
    const Eigen::Vector2d pixel = camera.project(pivot);
    camera.focal = std::clamp(focal, kLeastFocal, kMostFocal);
    return slideTo(camera, pivot, pixel);
  }
  const double depth = depthOf(camera, pivot);
  camera.worldFromCamera.translation += depth * (1.0 - focal / camera.focal) * camera.ahead();
  camera.focal = focal;
}

void putOnPlane(PictureCamera& camera, const Eigen::Vector2d& size, const Eigen::Vector3d& pivot, double beyond) {
  const double depth = depthOf(camera, pivot);
  const Eigen::Vector3d middle = camera.pointAt(0.5 * size, depth);
  camera = {.worldFromCamera = {camera.worldFromCamera.rotation, middle},
            .focal = std::clamp(camera.pixelsPerMetre(depth, kLeastDistance), kLeastFocal, kMostFocal),
            .centre = 0.5 * size,
            .isParallel = true};
  setBeyond(camera, pivot, beyond);
}

void placeAtSide(PictureCamera& camera, const Eigen::Vector3d& pivot, render::ViewFrom side) {
  turnAbout(camera, pivot, axesFrom(side));
}

render::ViewFrom nearestSide(const PictureCamera& camera) {
  const auto along = [&](render::ViewFrom side) { return -camera.ahead().dot(render::backwardFrom(side)); };
  return std::ranges::max(kSides, {}, along);
}

std::optional<render::ViewFrom> sideOf(const PictureCamera& camera) {
  constexpr double kSame = 1e-9;
  const render::ViewFrom side = nearestSide(camera);
  return (camera.worldFromCamera.rotation - axesFrom(side)).norm() < kSame ? std::optional(side) : std::nullopt;
}

void putBeforePinhole(PictureCamera& camera, const Eigen::Vector3d& pivot, double focal) {
  const double distance = focal / camera.focal;
  camera.worldFromCamera.translation += (camera.depthOf(pivot) - distance) * camera.ahead();
  camera.focal = focal;
  camera.isParallel = false;
}

void setBeyond(PictureCamera& camera, const Eigen::Vector3d& pivot, double beyond) {
  camera.worldFromCamera.translation += (camera.depthOf(pivot) + beyond) * camera.ahead();
}

}  // namespace limber::app
