// SPDX-License-Identifier: MIT
#include "app/view/camera.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <vector>

namespace limber::app::camera_test {
namespace {

constexpr int kWidth = 800, kHeight = 600;
constexpr double kTolerance = 1e-9;  // metres and pixels: a handful of roundings

Camera someCamera() {
  Camera camera;
  camera.yaw = 0.7;
  camera.pitch = 0.3;
  camera.distance = 4.0;
  camera.centre = {0.2, 1.0, -0.4};
  camera.boundsMin = {-1, 0, -1};
  camera.boundsMax = {1, 2, 1};
  return camera;
}

Eigen::Vector2d pixelOf(const Camera& camera, const Eigen::Vector3d& point) {
  return render::projectToPixel(viewOf(camera, kWidth, kHeight), point).value_or(Eigen::Vector2d(-1, -1));
}

TEST(Camera, WithoutTurnsLooksAlongMinusZ) {
  const render::View view = viewOf(Camera{}, kWidth, kHeight);
  EXPECT_LT((render::forwardDirection(view) + Eigen::Vector3d::UnitZ()).norm(), kTolerance);
}

TEST(Camera, CentreIsInTheMiddleOfThePicture) {
  const Camera camera = someCamera();
  EXPECT_LT((pixelOf(camera, camera.centre) - Eigen::Vector2d(kWidth / 2.0, kHeight / 2.0)).norm(), kTolerance);
}

TEST(Camera, OrbitKeepsCentreAndDistance) {
  Camera camera = someCamera();
  orbit(camera, 123, -45, kHeight);
  const render::View view = viewOf(camera, kWidth, kHeight);
  EXPECT_NEAR((view.eye - view.centre).norm(), 4.0, kTolerance);
  EXPECT_EQ(view.centre, someCamera().centre);
}

TEST(Camera, OrbitLetsTheNearSideFollowTheMouse) {
  Camera camera = someCamera();
  const render::View before = viewOf(camera, kWidth, kHeight);
  const Eigen::Vector3d nearSide = camera.centre - 0.5 * render::forwardDirection(before);
  orbit(camera, 40, 30, kHeight);
  const Eigen::Vector2d after = pixelOf(camera, nearSide);
  EXPECT_GT(after.x(), kWidth / 2.0);
  EXPECT_GT(after.y(), kHeight / 2.0);
}

TEST(Camera, NeverTurnsOverTheTop) {
  Camera camera = someCamera();
  for (int i = 0; i < 50; ++i) orbit(camera, 0, 100, kHeight);
  EXPECT_DOUBLE_EQ(camera.pitch, kMaxPitch);
  const Eigen::Matrix4d m = render::cameraFromWorld(viewOf(camera, kWidth, kHeight));
  EXPECT_TRUE(m.allFinite());
}

TEST(Camera, PanKeepsThePointUnderTheCursor) {
  Camera camera = someCamera();
  const Eigen::Vector3d point = camera.centre;
  pan(camera, 37, -21, kWidth, kHeight);
  const Eigen::Vector2d moved = pixelOf(camera, point) - Eigen::Vector2d(kWidth / 2.0, kHeight / 2.0);
  EXPECT_LT((moved - Eigen::Vector2d(37, -21)).norm(), 1e-6);
}

TEST(Camera, ZoomKeepsThePointUnderTheCursor) {
  Camera camera = someCamera();
  const render::View view = viewOf(camera, kWidth, kHeight);
  const render::Ray ray = render::rayThroughPixel(view, 200, 450);
  const Eigen::Vector3d point =
      ray.origin + ray.direction * (camera.distance / ray.direction.dot(render::forwardDirection(view)));
  zoom(camera, 3, 200, 450, kWidth, kHeight);
  EXPECT_LT(camera.distance, 4.0);
  EXPECT_LT((pixelOf(camera, point) - Eigen::Vector2d(200, 450)).norm(), 1e-6);
}

TEST(Camera, ZoomStopsAtItsEnds) {
  Camera camera = someCamera();
  zoom(camera, 1e4, 400, 300, kWidth, kHeight);
  EXPECT_GT(camera.distance, 0.0);
  zoom(camera, -1e4, 400, 300, kWidth, kHeight);
  EXPECT_TRUE(std::isfinite(camera.distance));
  EXPECT_TRUE(camera.centre.allFinite());
}

TEST(Camera, WhatOpensBesideThePictureMovesNothingInIt) {
  const Rectangle before{200, 30, 800, 600}, after{0, 30, 1000, 410};
  for (const bool isOrthographic : {false, true}) {
    Camera camera = frameAll({-1, 0, -0.5}, {1, 2, 0.5}, false, 800, 600);
    camera.isOrthographic = isOrthographic;
    const auto onScreen = [&](const Eigen::Vector3d& point, const Rectangle& picture) -> Eigen::Vector2d {
      const auto view = viewOf(camera, static_cast<int>(picture.width), static_cast<int>(picture.height));
      return *render::projectToPixel(view, point) + Eigen::Vector2d(picture.x, picture.y);
    };
    const std::vector<Eigen::Vector3d> points = {{0, 1, 0}, {0.7, 1.6, 0.3}, {-0.4, 0.1, -0.5}};
    std::vector<Eigen::Vector2d> places;
    for (const Eigen::Vector3d& point : points) places.push_back(onScreen(point, before));
    const Camera plain = camera;
    keepInPlace(camera, before, after);
    for (std::size_t i = 0; i < points.size(); ++i) {
      EXPECT_LT((onScreen(points[i], after) - places[i]).norm(), 1e-9);
      const auto view = viewOf(camera, 1000, 410);
      const Eigen::Vector2d pixel = *render::projectToPixel(view, points[i]);
      const render::Ray ray = render::rayThroughPixel(view, pixel.x(), pixel.y());
      EXPECT_LT((points[i] - ray.origin).cross(ray.direction).norm(), 1e-9) << "a click there meets it";
      const Eigen::Vector4d clip =
          render::clipFromCamera(view) * render::cameraFromWorld(view) * points[i].homogeneous();
      EXPECT_NEAR(0.5 * (1.0 + clip.x() / clip.w()) * 1000, pixel.x(), 1e-6) << "and is drawn there";
      EXPECT_NEAR(0.5 * (1.0 - clip.y() / clip.w()) * 410, pixel.y(), 1e-6);
    }
    keepInPlace(camera, after, before);
    EXPECT_EQ(camera.magnification, plain.magnification) << "closed again, it is as it was";
    EXPECT_EQ(camera.shift, plain.shift);
    keepInPlace(camera, before, after);
    frameBounds(camera, {-1, 0, -0.5}, {1, 2, 0.5}, 1000, 410);
    EXPECT_EQ(camera.magnification, 1.0) << "framed, it is in the middle";
    EXPECT_EQ(camera.shift.norm(), 0.0);
  }
}

TEST(Camera, APanelThatWouldHideThePictureMovesTheSceneIntoTheRest) {
  const Rectangle whole{200, 30, 800, 600}, above{200, 30, 800, 250};
  const auto isWhole = [](const Camera& camera, const Rectangle& area) {
    const render::View view = viewOf(camera, static_cast<int>(area.width), static_cast<int>(area.height));
    for (unsigned i = 0; i < 8; ++i) {
      const Eigen::Vector3d corner(i & 1 ? -1 : 1, i & 2 ? 0 : 2, i & 4 ? -0.5 : 0.5);
      const auto pixel = render::projectToPixel(view, corner);
      if (!pixel || pixel->x() < 0 || pixel->y() < 0 || pixel->x() > area.width || pixel->y() > area.height)
        return false;
    }
    return true;
  };
  for (const bool isOrthographic : {false, true}) {
    const Camera plain = [&] {
      Camera camera = frameAll({-1, 0, -0.5}, {1, 2, 0.5}, false, 800, 600);
      camera.isOrthographic = isOrthographic;
      return camera;
    }();
    Camera camera = plain;
    ASSERT_TRUE(isWhole(camera, whole));
    keepInSight(camera, whole, above);
    EXPECT_TRUE(isWhole(camera, above));
    keepInSight(camera, above, whole);
    EXPECT_EQ(camera.magnification, 1.0) << "as before";
    EXPECT_EQ(camera.shift.norm(), 0.0);
    const Rectangle narrow{500, 30, 200, 600};
    keepInSight(camera, whole, narrow);
    EXPECT_TRUE(isWhole(camera, narrow)) << "smaller, because it is too wide";
    Camera near = plain;
    near.distance *= 0.3;
    ASSERT_FALSE(isWhole(near, whole));
    Camera kept = near;
    keepInSight(near, whole, above);
    keepInPlace(kept, whole, above);
    EXPECT_EQ(near.magnification, kept.magnification) << "who has zoomed in keeps the view";
    EXPECT_EQ(near.shift, kept.shift);
  }
}

TEST(Camera, LooksFromWhereTheBodyFaces) {
  for (int turns = 0; turns < 4; ++turns) {
    const Eigen::Vector3d front = render::backwardFrom(render::ViewFrom::Front, false, turns);
    const double angle = 0.5 * std::numbers::pi * turns;
    EXPECT_LT((front - Eigen::Vector3d(std::sin(angle), 0.0, std::cos(angle))).norm(), 1e-12);
    const render::View view = viewOf(seenFrom(someCamera(), render::ViewFrom::Front, false, turns), kWidth, kHeight);
    EXPECT_LT((render::forwardDirection(view) + front).norm(), kTolerance);
    const render::View home = viewOf(frameAll({-1, 0, -1}, {1, 2, 1}, false, 800, 600, turns), 800, 600);
    EXPECT_GT(-render::forwardDirection(home).dot(front), 0.7);
  }
}

TEST(Camera, FramingShowsEveryCornerAndKeepsTheDirection) {
  Camera camera = someCamera();
  const Eigen::Vector3d low(5, 6, 7), high(8, 9, 10);
  frameBounds(camera, low, high, kWidth, kHeight);
  EXPECT_EQ(camera.yaw, someCamera().yaw);
  EXPECT_EQ(camera.pitch, someCamera().pitch);
  for (int corner = 0; corner < 8; ++corner) {
    const Eigen::Vector2d pixel = pixelOf(
        camera, {corner & 1 ? low.x() : high.x(), corner & 2 ? low.y() : high.y(), corner & 4 ? low.z() : high.z()});
    EXPECT_TRUE(pixel.x() > 0 && pixel.x() < kWidth && pixel.y() > 0 && pixel.y() < kHeight) << pixel.transpose();
  }
}

TEST(Camera, PlanarFiguresAreSeenAlongMinusZ) {
  const Camera camera = frameAll({0, -4, -0.1}, {4, 4, 0.1}, true, kWidth, kHeight);
  EXPECT_NEAR(camera.yaw, 0.0, kTolerance);
  EXPECT_NEAR(camera.pitch, 0.0, kTolerance);
}

TEST(Camera, SurvivesAnEmptyWindow) {
  Camera camera = someCamera();
  orbit(camera, 10, 10, 0);
  pan(camera, 10, 10, 0, 0);
  zoom(camera, 1, 0, 0, 0, 0);
  EXPECT_TRUE(camera.centre.allFinite());
  EXPECT_TRUE(viewOf(camera, 0, 0).eye.allFinite());
}

TEST(Camera, LooksStraightDownWithTheFrontBelow) {
  const Camera camera = seenFrom(someCamera(), render::ViewFrom::Top, false);
  const render::View view = viewOf(camera, kWidth, kHeight);
  EXPECT_LT((render::forwardDirection(view) + Eigen::Vector3d::UnitY()).norm(), kTolerance);
  EXPECT_LT((render::cameraFromWorld(view).row(1).head<3>().transpose() + Eigen::Vector3d::UnitZ()).norm(), kTolerance);
  EXPECT_EQ(camera.centre, someCamera().centre);
  EXPECT_EQ(camera.distance, someCamera().distance);
}

TEST(Camera, EverySideIsSeenFromThere) {
  for (const render::ViewFrom side : render::kViewsFrom) {
    const render::View view = viewOf(seenFrom(someCamera(), side, false), kWidth, kHeight);
    EXPECT_LT((render::forwardDirection(view) + render::backwardFrom(side)).norm(), kTolerance) << nameOf(side);
  }
}

TEST(Camera, OrbitsOnFromStraightAbove) {
  Camera camera = seenFrom(someCamera(), render::ViewFrom::Top, false);
  orbit(camera, 30, -60, kHeight);
  const render::View view = viewOf(camera, kWidth, kHeight);
  EXPECT_TRUE(render::cameraFromWorld(view).allFinite());
  EXPECT_LT(camera.pitch, kMaxPitch);
  EXPECT_NE(camera.yaw, 0.0);
}

TEST(Camera, LookingAroundKeepsTheEye) {
  Camera camera = someCamera();
  const Eigen::Vector3d eye = viewOf(camera, kWidth, kHeight).eye;
  look(camera, 50, 20, kHeight);
  const render::View view = viewOf(camera, kWidth, kHeight);
  EXPECT_LT((view.eye - eye).norm(), kTolerance);
  EXPECT_LT(pixelOf(camera, someCamera().centre).x(), kWidth / 2.0) << "what was in the middle goes to the left";
}

TEST(Camera, OrthographicPanAndZoomKeepThePointUnderTheCursor) {
  Camera camera = someCamera();
  camera.isOrthographic = true;
  const Eigen::Vector3d centre = camera.centre;
  pan(camera, 37, -21, kWidth, kHeight);
  EXPECT_LT((pixelOf(camera, centre) - Eigen::Vector2d(kWidth / 2.0 + 37, kHeight / 2.0 - 21)).norm(), 1e-6);
  const render::Ray ray = render::rayThroughPixel(viewOf(camera, kWidth, kHeight), 200, 450);
  const Eigen::Vector3d point = ray.origin + (centre - ray.origin).dot(ray.direction) * ray.direction;
  zoom(camera, 3, 200, 450, kWidth, kHeight);
  EXPECT_LT((pixelOf(camera, point) - Eigen::Vector2d(200, 450)).norm(), 1e-6);
}

TEST(Camera, SwitchingTheProjectionKeepsTheSizeAtTheCentre) {
  Camera camera = someCamera();
  const double before = render::pixelSize(viewOf(camera, kWidth, kHeight), camera.centre);
  camera.isOrthographic = true;
  EXPECT_NEAR(render::pixelSize(viewOf(camera, kWidth, kHeight), camera.centre), before, 1e-12);
}

TEST(Camera, OrthographicFramingShowsEveryCorner) {
  Camera camera = someCamera();
  camera.isOrthographic = true;
  const Eigen::Vector3d low(5, 6, 7), high(8, 9, 30);
  frameBounds(camera, low, high, kWidth, kHeight);
  EXPECT_TRUE(camera.isOrthographic);
  for (int corner = 0; corner < 8; ++corner) {
    const Eigen::Vector2d pixel = pixelOf(
        camera, {corner & 1 ? low.x() : high.x(), corner & 2 ? low.y() : high.y(), corner & 4 ? low.z() : high.z()});
    EXPECT_TRUE(pixel.x() > 0 && pixel.x() < kWidth && pixel.y() > 0 && pixel.y() < kHeight) << pixel.transpose();
  }
}

TEST(Camera, TurnsTheShorterWayAndEndsExactly) {
  Camera from = someCamera(), to = someCamera();
  from.yaw = 3.0;
  to.yaw = -3.0;
  to.centre = {1, 2, 3};
  EXPECT_GT(between(from, to, 0.5).yaw, 3.0);
  const Camera end = between(from, to, 1.0);
  EXPECT_EQ(end.yaw, to.yaw);
  EXPECT_EQ(end.centre, to.centre);
  EXPECT_EQ(end.distance, to.distance);
}

}  // namespace
}  // namespace limber::app::camera_test
