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

double depthOf(const PinholeCamera& camera, const Eigen::Vector3d& pivot) {
  return std::max(camera.depthOf(pivot), kLeastDistance);
}

}  // namespace

CameraAngles anglesOf(const PinholeCamera& camera) {
  const Eigen::Matrix3d& axes = camera.worldFromCamera.rotation;
  const Eigen::Vector3d ahead = axes.col(2);
  CameraAngles angles{std::atan2(-ahead.x(), -ahead.z()), std::asin(std::clamp(-ahead.y(), -1.0, 1.0)), 0.0};
  const Eigen::Matrix3d level = axesOf(angles);
  angles.roll = std::atan2(axes.col(0).dot(level.col(1)), axes.col(0).dot(level.col(0)));
  return angles;
}

void turnAbout(PinholeCamera& camera, const Eigen::Vector3d& pivot, const Eigen::Matrix3d& worldFromCamera) {
  const Eigen::Vector3d inCamera = camera.worldFromCamera.inverse() * pivot;
  camera.worldFromCamera.rotation = worldFromCamera;
  camera.worldFromCamera.translation = pivot - worldFromCamera * inCamera;
}

void turnAbout(PinholeCamera& camera, const Eigen::Vector3d& pivot, const CameraAngles& angles) {
  turnAbout(camera, pivot, axesOf(angles));
}

void orbitAbout(PinholeCamera& camera, const Eigen::Vector3d& pivot, double dx, double dy, int height) {
  const double perPixel = kOrbitPerHeight / std::max(height, 1);
  CameraAngles angles = anglesOf(camera);
  angles.heading -= dx * perPixel;
  angles.pitch += dy * perPixel;
  turnAbout(camera, pivot, angles);
}

void approach(PinholeCamera& camera, const Eigen::Vector3d& pivot, const render::Ray& ray, double factor) {
  const double depth = depthOf(camera, pivot), nearer = std::max(depth * factor, kLeastDistance);
  const double along = ray.direction.dot(camera.worldFromCamera.rotation.col(2));
  if (along > 0.0) camera.worldFromCamera.translation += (depth - nearer) / along * ray.direction;
}

void slide(PinholeCamera& camera, const Eigen::Vector3d& pivot, const render::View& view, double dx, double dy) {
  const double metres = render::pixelSize(view, pivot);
  const Eigen::Matrix3d& axes = camera.worldFromCamera.rotation;
  camera.worldFromCamera.translation -= metres * (dx * axes.col(0) + dy * axes.col(1));
}

void slideTo(PinholeCamera& camera, const Eigen::Vector3d& point, const Eigen::Vector2d& pixel) {
  const Eigen::Vector3d ray = camera.rayThrough(pixel);
  const double along = depthOf(camera, point) / camera.worldFromCamera.rotation.col(2).dot(ray);
  camera.worldFromCamera.translation = point - along * ray;
}

void setFocal(PinholeCamera& camera, const Eigen::Vector3d& pivot, double focal) {
  const double depth = depthOf(camera, pivot);
  camera.worldFromCamera.translation += depth * (1.0 - focal / camera.focal) * camera.worldFromCamera.rotation.col(2);
  camera.focal = focal;
}

}  // namespace limber::app
