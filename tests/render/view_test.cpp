// SPDX-License-Identifier: MIT
#include "render/view.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

namespace limber::render::view_test {
namespace {

constexpr double kRounding = 1e-9;  // of unit-sized scenes and pictures of a thousand pixels

View obliqueView() {
  View view;
  view.eye = {3.0, 2.0, 4.0};
  view.centre = {0.5, 1.0, -0.25};
  view.width = 1280;
  view.height = 720;
  return view;
}

TEST(View, CentreProjectsToTheMiddleOfThePicture) {
  const View view = obliqueView();
  const auto pixel = projectToPixel(view, view.centre);
  ASSERT_TRUE(pixel);
  EXPECT_NEAR(pixel->x(), 640.0, kRounding);
  EXPECT_NEAR(pixel->y(), 360.0, kRounding);
}

TEST(View, RayThroughAPixelMeetsThePointItCameFrom) {
  const View view = obliqueView();
  for (const Eigen::Vector3d& point :
       {Eigen::Vector3d(0.1, 0.2, 0.3), Eigen::Vector3d(-1.0, 2.0, 0.5), Eigen::Vector3d(9.0, -4.0, -30.0)}) {
    const auto pixel = projectToPixel(view, point);
    ASSERT_TRUE(pixel);
    const Ray ray = rayThroughPixel(view, pixel->x(), pixel->y());
    EXPECT_NEAR(ray.direction.norm(), 1.0, kRounding);
    EXPECT_NEAR((point - ray.origin).cross(ray.direction).norm(), 0.0, 1e-7) << "distance of the point from its ray";
    EXPECT_GT((point - ray.origin).dot(ray.direction), 0.0);
  }
}

TEST(View, CornersCountFromTheTopLeft) {
  View view;
  view.eye = {0.0, 0.0, 5.0};
  view.centre.setZero();
  view.width = 400;
  view.height = 300;
  EXPECT_LT(rayThroughPixel(view, 0.0, 0.0).direction.x(), 0.0);
  EXPECT_GT(rayThroughPixel(view, 0.0, 0.0).direction.y(), 0.0);
  EXPECT_GT(rayThroughPixel(view, 400.0, 300.0).direction.x(), 0.0);
  EXPECT_LT(rayThroughPixel(view, 400.0, 300.0).direction.y(), 0.0);
}

TEST(View, PointBehindTheEyeHasNoPixel) {
  const View view = obliqueView();
  EXPECT_FALSE(projectToPixel(view, view.eye + (view.eye - view.centre)));
  EXPECT_FALSE(projectToPixel(view, view.eye));
}

TEST(View, MatricesAgreeWithProjection) {
  const View view = obliqueView();
  const Eigen::Vector3d point(-0.4, 1.7, 0.6);
  const Eigen::Vector4d clip = clipFromCamera(view) * cameraFromWorld(view) * point.homogeneous();
  const Eigen::Vector3d ndc = clip.hnormalized();
  const auto pixel = projectToPixel(view, point);
  ASSERT_TRUE(pixel);
  EXPECT_NEAR(0.5 * (ndc.x() + 1.0) * view.width, pixel->x(), kRounding);
  EXPECT_NEAR(0.5 * (1.0 - ndc.y()) * view.height, pixel->y(), kRounding);
}

TEST(View, NearAndFarPlanesAreTheEndsOfClipDepth) {
  const View view = obliqueView();
  const auto depthAt = [&](double distance) {
    return (clipFromCamera(view) * Eigen::Vector4d(0.0, 0.0, -distance, 1.0)).hnormalized().z();
  };
  EXPECT_NEAR(depthAt(view.nearPlane), -1.0, kRounding);
  EXPECT_NEAR(depthAt(view.farPlane), 1.0, kRounding);
}

TEST(View, LookingStraightDownHasAFrame) {
  View view = obliqueView();
  view.eye = view.centre + 3.0 * Eigen::Vector3d::UnitY();
  const Eigen::Matrix3d rotation = cameraFromWorld(view).topLeftCorner<3, 3>();
  EXPECT_TRUE((rotation * rotation.transpose()).isIdentity(kRounding));
  EXPECT_NEAR(rotation.determinant(), 1.0, kRounding);
}

TEST(View, EyeOnTheCentreIsNotANumberlessView) {
  View view = obliqueView();
  view.eye = view.centre;
  EXPECT_TRUE(cameraFromWorld(view).allFinite());
}

TEST(View, PixelSizeIsTheDistanceBetweenNeighbouringPixels) {
  const View view = obliqueView();
  const Eigen::Vector3d right = cameraFromWorld(view).row(0).head<3>().transpose();
  const double size = pixelSize(view, view.centre);
  const auto pixel = projectToPixel(view, view.centre + size * right);
  ASSERT_TRUE(pixel);
  EXPECT_NEAR(pixel->x(), 641.0, kRounding);
}

class Framing : public testing::TestWithParam<std::pair<int, int>> {};

TEST_P(Framing, ShowsTheWholeBoxAndFillsThePicture) {
  const auto [width, height] = GetParam();
  const Eigen::Vector3d low(-0.4, 0.0, -0.2), high(0.5, 1.8, 0.3);
  for (bool planar : {false, true}) {
    const View view = frameFigure(low, high, planar, width, height);
    double fill = 0.0;
    for (int corner = 0; corner < 8; ++corner) {
      const auto pixel = projectToPixel(view, {corner & 1 ? low.x() : high.x(), corner & 2 ? low.y() : high.y(),
                                               corner & 4 ? low.z() : high.z()});
      ASSERT_TRUE(pixel);
      EXPECT_GE(pixel->x(), 0.0);
      EXPECT_LE(pixel->x(), width);
      EXPECT_GE(pixel->y(), 0.0);
      EXPECT_LE(pixel->y(), height);
      fill = std::max({fill, std::abs(2.0 * pixel->x() / width - 1.0), std::abs(2.0 * pixel->y() / height - 1.0)});
    }
    EXPECT_GT(fill, 0.85);
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Framing,
                         testing::Values(std::pair(1400, 900), std::pair(400, 900), std::pair(900, 100)));

TEST(Framing, PlanarFigureIsSeenAlongMinusZ) {
  const View view = frameFigure({0.0, -0.1, -0.1}, {4.0, 0.1, 0.1}, true, 800, 600);
  EXPECT_TRUE(forwardDirection(view).isApprox(-Eigen::Vector3d::UnitZ()));
}

TEST(Framing, BoxWithoutExtentGivesAView) {
  const View view = frameFigure({1.0, 2.0, 3.0}, {1.0, 2.0, 3.0}, false, 800, 600);
  EXPECT_TRUE(view.eye.allFinite());
  EXPECT_GT((view.eye - view.centre).norm(), 0.1);
  EXPECT_LT(view.nearPlane, (view.eye - view.centre).norm());
}

}  // namespace
}  // namespace limber::render::view_test
