// SPDX-License-Identifier: MIT
#include "limber/vision/camera_from_points.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace limber::camera_from_points_test {
namespace {

const Eigen::Vector2d kCentre(480.0, 320.0);
const CameraFromPointsOptions kOptions{.noise = 1.0, .usualFocal = 1200.0};

PictureCamera cameraAround(double heading, double height, double focal) {
  return cameraLookingAt({4.0 * std::sin(heading), height, 4.0 * std::cos(heading)}, {0.1, 0.8, -0.1}, focal, kCentre);
}

/// Points in a box as large as a person, as the camera sees them.
std::vector<SightedPoint> seenBy(const PictureCamera& camera, std::size_t count, double noise) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::normal_distribution<double> normal(0.0, 1.0);
  std::vector<SightedPoint> points;
  for (std::size_t i = 0; i < count; ++i) {
    const Eigen::Vector3d place(0.5 * uniform(random), 0.9 + 0.9 * uniform(random), 0.4 * uniform(random));
    const Eigen::Vector2d off(normal(random), normal(random));
    points.push_back({place, camera.project(place) + noise * off, 0.5 + 0.5 * std::abs(uniform(random))});
  }
  return points;
}

/// f as the header has it.
double costOf(const std::vector<SightedPoint>& points, const PictureCamera& camera) {
  double cost = 0.5 * std::pow(std::log2(camera.focal / kOptions.usualFocal), 2.0);
  for (const SightedPoint& point : points) {
    const double x = (camera.project(point.place) - point.pixel).norm() / kOptions.noise;
    cost += 0.5 * point.confidence * x * x / (1.0 + x * x / (kOptions.outlier * kOptions.outlier));
  }
  return cost;
}

/// The camera turned, shifted and zoomed along one of seven directions.
PictureCamera changed(const PictureCamera& camera, int direction, double by) {
  PictureCamera next = camera;
  if (direction < 3)
    next.worldFromCamera.rotation *= Eigen::AngleAxisd(by, Eigen::Vector3d::Unit(direction)).toRotationMatrix();
  else if (direction < 6) next.worldFromCamera.translation += by * Eigen::Vector3d::Unit(direction - 3);
  else next.focal *= std::exp(by);
  return next;
}

void expectNear(const PictureCamera& found, const PictureCamera& truth, double tolerance) {
  EXPECT_NEAR((found.worldFromCamera.translation - truth.worldFromCamera.translation).norm(), 0.0, tolerance);
  EXPECT_NEAR((found.worldFromCamera.rotation - truth.worldFromCamera.rotation).norm(), 0.0, tolerance);
  EXPECT_NEAR(found.focal / truth.focal, 1.0, tolerance);
}

TEST(CameraFromPoints, IsFoundFromAllSides) {
  for (const double heading : {0.3, 1.7, 3.0, 4.9})
    for (const double height : {0.3, 1.6, 3.5}) {
      const PictureCamera truth = cameraAround(heading, height, 1200.0);
      const auto points = seenBy(truth, 14, 0.0);
      const auto found = cameraFromPoints(points, kCentre, kOptions);
      ASSERT_TRUE(found);
      expectNear(found->camera, truth, 1e-6);
      EXPECT_NEAR(found->cost, costOf(points, found->camera), 1e-9);
    }
}

TEST(CameraFromPoints, IsAMinimumThatNoiseAndAWrongPointLeave) {
  const PictureCamera truth = cameraAround(2.0, 1.8, 900.0);
  auto points = seenBy(truth, 30, 1.0);
  points[7].pixel += Eigen::Vector2d(300.0, -200.0);
  const auto found = cameraFromPoints(points, kCentre, kOptions);
  ASSERT_TRUE(found);
  expectNear(found->camera, truth, 0.1);
  for (int direction = 0; direction < 7; ++direction) {
    constexpr double kStep = 1e-5;
    const double slope = (costOf(points, changed(found->camera, direction, kStep)) -
                          costOf(points, changed(found->camera, direction, -kStep))) /
                         (2.0 * kStep);
    const double curvature = (costOf(points, changed(found->camera, direction, kStep)) +
                              costOf(points, changed(found->camera, direction, -kStep)) - 2.0 * found->cost) /
                             (kStep * kStep);
    EXPECT_GT(curvature, 0.0) << direction;
    EXPECT_LT(std::abs(slope), 1e-4 * curvature) << direction << ": the minimum is not 1e-4 away";
  }
}

TEST(CameraFromPoints, TheFocalLengthIsKeptWhereItIsKnown) {
  const PictureCamera truth = cameraAround(1.0, 1.0, 1500.0);
  CameraFromPointsOptions options = kOptions;
  options.knownFocal = 1500.0;
  const auto found = cameraFromPoints(seenBy(truth, 12, 0.0), kCentre, options);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->camera.focal, 1500.0);
  expectNear(found->camera, truth, 1e-6);
}

TEST(CameraFromPoints, ImprovingNeverRaisesTheCost) {
  const auto points = seenBy(cameraAround(0.5, 1.2, 1000.0), 12, 3.0);
  for (int i = 0; i < 20; ++i) {
    const PictureCamera start = cameraAround(0.3 * i, 0.2 * i, 400.0 + 100.0 * i);
    const CameraFromPoints found = improveCamera(points, start, kOptions);
    EXPECT_LE(found.cost, costOf(points, start));
    EXPECT_NEAR(found.cost, costOf(points, found.camera), 1e-9 * found.cost);
  }
}

TEST(CameraFromPoints, TooLittleTellsNone) {
  const auto points = seenBy(cameraAround(0.5, 1.2, 1000.0), kPointsOfACamera, 0.0);
  EXPECT_TRUE(cameraFromPoints(points, kCentre, kOptions));
  EXPECT_FALSE(cameraFromPoints({points.data(), kPointsOfACamera - 1}, kCentre, kOptions));
  const std::vector<SightedPoint> one(8, points.front());
  EXPECT_FALSE(cameraFromPoints(one, kCentre, kOptions));
}

TEST(CameraFromPoints, ParallelRaysGetPlaceAndScaleAndKeepTheirDirection) {
  PictureCamera truth = cameraAround(0.7, 1.4, 240.0);
  truth.isParallel = true;
  auto points = seenBy(truth, 14, 0.0);
  points[3].pixel += Eigen::Vector2d(200.0, -90.0);  // a wrong one
  for (const double scale : {30.0, 240.0, 900.0}) {
    PictureCamera start = truth;
    start.focal = scale;
    start.worldFromCamera.translation += truth.worldFromCamera.rotation * Eigen::Vector3d(0.8, -0.5, 2.0);
    const CameraFromPoints found = improveRoughCamera(points, start, kOptions);
    EXPECT_EQ(found.camera.worldFromCamera.rotation, truth.worldFromCamera.rotation);
    EXPECT_NEAR(found.camera.depthOf(points[0].place), start.depthOf(points[0].place), 1e-9);
    EXPECT_NEAR(found.camera.focal, truth.focal, 0.5) << scale;
    for (const SightedPoint& point : points)
      EXPECT_LT((found.camera.project(point.place) - truth.project(point.place)).norm(), 0.5) << scale;
  }
}

TEST(CameraFromPoints, PixelsAtOnePlaceGiveAScaleThatFilesMayHold) {
  PictureCamera start = cameraAround(2.0, 1.8, 240.0);
  start.isParallel = true;
  auto points = seenBy(start, 12, 0.0);
  for (SightedPoint& point : points) point.pixel = kCentre;
  const PictureCamera found = improveRoughCamera(points, start, kOptions).camera;
  EXPECT_GE(found.focal, kLeastFocal);
  EXPECT_LT(found.focal, 1.0) << "all points are seen at one pixel from far away";
}

TEST(CameraFromPoints, ParallelRaysEndWhereNoMoveAcrossThemAndNoScaleIsLower) {
  PictureCamera start = cameraAround(2.0, 1.8, 240.0);
  start.isParallel = true;
  const auto points = seenBy(start, 30, 2.0);
  start.focal = 100.0;
  const PictureCamera found = improveRoughCamera(points, start, kOptions).camera;
  // f without the term of the focal length, which parallel rays have not.
  const auto cost = [&](const PictureCamera& camera) {
    return costOf(points, camera) - 0.5 * std::pow(std::log2(camera.focal / kOptions.usualFocal), 2.0);
  };
  for (int direction = 0; direction < 3; ++direction) {
    constexpr double kStep = 1e-5;
    const auto at = [&](double by) {
      PictureCamera camera = found;
      if (direction == 2) camera.focal *= std::exp(by);
      else camera.worldFromCamera.translation += by * camera.worldFromCamera.rotation.col(direction);
      return cost(camera);
    };
    const double slope = (at(kStep) - at(-kStep)) / (2.0 * kStep);
    const double curvature = (at(kStep) + at(-kStep) - 2.0 * at(0.0)) / (kStep * kStep);
    EXPECT_GT(curvature, 0.0) << direction;
    EXPECT_LT(std::abs(slope), 1e-4 * curvature) << direction << ": the minimum is not 1e-4 away";
  }
}

}  // namespace
}  // namespace limber::camera_from_points_test
