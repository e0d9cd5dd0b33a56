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

/// The same in parallel projection, fitted to a box around its centre.
View parallelView() {
  View view = asOrthographic(obliqueView());
  fitDepthRange(view, {-1.0, 0.0, -1.0}, {1.0, 2.0, 1.0});
  return view;
}

/// Tests that hold in perspective and in parallel projection.
class EitherView : public testing::TestWithParam<bool> {
 protected:
  static View view() { return GetParam() ? parallelView() : obliqueView(); }
};

INSTANTIATE_TEST_SUITE_P(Projections, EitherView, testing::Bool(),
                         [](const auto& projection) { return projection.param ? "Orthographic" : "Perspective"; });

TEST_P(EitherView, CentreProjectsToTheMiddleOfThePicture) {
  const View view = this->view();
  const auto pixel = projectToPixel(view, view.centre);
  ASSERT_TRUE(pixel);
  EXPECT_NEAR(pixel->x(), 640.0, kRounding);
  EXPECT_NEAR(pixel->y(), 360.0, kRounding);
}

TEST_P(EitherView, RayThroughAPixelMeetsThePointItCameFrom) {
  const View view = this->view();
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

TEST_P(EitherView, RayOfAPixelProjectsToThatPixel) {
  const View view = this->view();
  for (const Eigen::Vector2d& pixel : {Eigen::Vector2d(0, 0), Eigen::Vector2d(1280, 720), Eigen::Vector2d(301, 577)})
    for (const double along : {0.7, 5.0, 19.0}) {
      const Ray ray = rayThroughPixel(view, pixel.x(), pixel.y());
      const auto back = projectToPixel(view, ray.origin + along * ray.direction);
      ASSERT_TRUE(back);
      EXPECT_LT((*back - pixel).norm(), 1e-7) << along;
    }
}

TEST_P(EitherView, MatricesAgreeWithProjection) {
  const View view = this->view();
  const Eigen::Vector3d point(-0.4, 1.7, 0.6);
  const Eigen::Vector4d clip = clipFromCamera(view) * cameraFromWorld(view) * point.homogeneous();
  const Eigen::Vector3d ndc = clip.hnormalized();
  const auto pixel = projectToPixel(view, point);
  ASSERT_TRUE(pixel);
  EXPECT_NEAR(0.5 * (ndc.x() + 1.0) * view.width, pixel->x(), kRounding);
  EXPECT_NEAR(0.5 * (1.0 - ndc.y()) * view.height, pixel->y(), kRounding);
}

TEST_P(EitherView, NearAndFarPlanesAreTheEndsOfClipDepth) {
  const View view = this->view();
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

TEST_P(EitherView, PixelSizeIsTheDistanceBetweenNeighbouringPixels) {
  const View view = this->view();
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
      const auto pixel = projectToPixel(
          view, {corner & 1 ? low.x() : high.x(), corner & 2 ? low.y() : high.y(), corner & 4 ? low.z() : high.z()});
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

TEST(View, ParallelProjectionShowsTheCentreAsLargeAsPerspective) {
  const View perspective = obliqueView(), parallel = parallelView();
  EXPECT_NEAR(pixelSize(parallel, parallel.centre), pixelSize(perspective, perspective.centre), 1e-12);
  EXPECT_NEAR(viewDistance(parallel), viewDistance(perspective), kRounding);
}

TEST(View, InParallelProjectionDistanceChangesNoSize) {
  const View view = parallelView();
  const Eigen::Vector3d behind = view.centre + 3.0 * forwardDirection(view);
  EXPECT_DOUBLE_EQ(pixelSize(view, behind), pixelSize(view, view.centre));
  EXPECT_LT((*projectToPixel(view, behind) - *projectToPixel(view, view.centre)).norm(), 1e-7);
}

/// The corners of a box, by the bits of 0 to 7.
Eigen::Vector3d cornerOf(const Eigen::Vector3d& low, const Eigen::Vector3d& high, int corner) {
  return {corner & 1 ? low.x() : high.x(), corner & 2 ? low.y() : high.y(), corner & 4 ? low.z() : high.z()};
}

TEST(View, AParallelEyeStandsBehindAllThatIsShown) {
  View view = asOrthographic(obliqueView());
  const Eigen::Vector3d low(-40.0, -1.0, -40.0), high(40.0, 3.0, 40.0);
  fitDepthRange(view, low, high);
  for (int corner = 0; corner < 8; ++corner) {
    const double depth = (cornerOf(low, high, corner) - view.eye).dot(forwardDirection(view));
    EXPECT_GT(depth, view.nearPlane);
    EXPECT_LT(depth, view.farPlane);
  }
}

TEST(View, SidesHaveTheirNamesAndLookAlongTheAxes) {
  for (const ViewFrom side : kViewsFrom) EXPECT_EQ(viewFromNamed(nameOf(side)), side);
  EXPECT_FALSE(viewFromNamed("north"));
  EXPECT_FALSE(viewFromNamed(""));
  const auto seen = [](ViewFrom side) { return frameFigure({-1, -1, -1}, {1, 1, 1}, false, 400, 300, side); };
  const auto upOf = [&](ViewFrom side) -> Eigen::Vector3d {
    return cameraFromWorld(seen(side)).row(1).head<3>().transpose();
  };
  EXPECT_TRUE(forwardDirection(seen(ViewFrom::Front)).isApprox(-Eigen::Vector3d::UnitZ()));
  EXPECT_TRUE(forwardDirection(seen(ViewFrom::Right)).isApprox(-Eigen::Vector3d::UnitX()));
  EXPECT_TRUE(upOf(ViewFrom::Front).isApprox(Eigen::Vector3d::UnitY()));
  EXPECT_TRUE(upOf(ViewFrom::Top).isApprox(-Eigen::Vector3d::UnitZ())) << "the front is below";
  EXPECT_TRUE(upOf(ViewFrom::Bottom).isApprox(Eigen::Vector3d::UnitZ()));
}

TEST(View, ParallelFramingShowsTheWholeBoxFromEverySide) {
  const Eigen::Vector3d low(-0.4, 0.0, -0.2), high(0.5, 1.8, 6.3);
  for (const ViewFrom side : kViewsFrom) {
    const View view = frameBox(asOrthographic(frameFigure(low, high, false, 900, 400, side)), low, high);
    double fill = 0.0;
    for (int corner = 0; corner < 8; ++corner) {
      const auto pixel = projectToPixel(view, cornerOf(low, high, corner));
      ASSERT_TRUE(pixel);
      fill = std::max({fill, std::abs(2.0 * pixel->x() / 900 - 1.0), std::abs(2.0 * pixel->y() / 400 - 1.0)});
    }
    EXPECT_NEAR(fill, 1.0 / 1.08, kRounding) << nameOf(side) << ": the margin is 8 % of the box";
  }
}

}  // namespace
}  // namespace limber::render::view_test
