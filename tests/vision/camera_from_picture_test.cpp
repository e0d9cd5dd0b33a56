// SPDX-License-Identifier: MIT
// The camera of a picture, found from edges that it shows and from the height of a figure.
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <vector>

#include "limber/vision/camera_from_picture.h"

namespace limber::camera_from_picture_test {
namespace {

PictureCamera cameraAt(double heading, double pitch, double roll, double focal) {
  PictureCamera camera{.focal = focal, .centre = {500.0, 400.0}};
  const Eigen::AngleAxisd turn(heading, Eigen::Vector3d::UnitY()), down(-pitch, Eigen::Vector3d::UnitX());
  const Eigen::AngleAxisd tilt(roll, Eigen::Vector3d::UnitZ());
  const Eigen::Matrix3d looks = (turn * down * tilt).toRotationMatrix();  // x right, y up, z back
  camera.worldFromCamera.rotation << looks.col(0), -looks.col(1), -looks.col(2);
  camera.worldFromCamera.translation = camera.worldFromCamera.rotation * Eigen::Vector3d(0.1, -0.2, -5.0);
  return camera;
}

/// Two edges along an axis of the world, two metres long, as a camera sees them.
std::array<PictureEdge, 2> edgesAlong(int axis, const PictureCamera& camera) {
  const Eigen::Vector3d along = Eigen::Vector3d::Unit(axis), across = Eigen::Vector3d::Unit((axis + 1) % 3);
  const Eigen::Vector3d beside = Eigen::Vector3d::Unit((axis + 2) % 3);
  std::array<PictureEdge, 2> edges;
  for (int i = 0; i < 2; ++i) {
    const Eigen::Vector3d middle = (i == 0 ? 0.9 : -0.8) * across + (i == 0 ? -0.3 : 0.4) * beside;
    edges[i] = {camera.project(middle - along), camera.project(middle + along)};
  }
  return edges;
}

double angleBetween(const Eigen::Matrix3d& a, const Eigen::Matrix3d& b) {
  return Eigen::AngleAxisd(a.transpose() * b).angle();
}

TEST(CameraFromPicture, EdgesOfTwoDirectionsTellDirectionAndFocalLength) {
  for (const double heading : {-0.6, 0.5, 2.2})
    for (const double pitch : {-0.3, 0.25})
      for (const double roll : {0.0, 0.15})
        for (const double focal : {600.0, 1500.0})
          for (int axis = 0; axis < 3; ++axis) {
            const PictureCamera truth = cameraAt(heading, pitch, roll, focal);
            PictureCamera present = cameraAt(heading + 0.3, pitch - 0.2, 0.0, 900.0);
            const auto found = cameraFromEdges(edgesAlong(axis, truth), edgesAlong((axis + 1) % 3, truth), present);
            ASSERT_TRUE(found);
            EXPECT_TRUE(found->tellsFocal);
            EXPECT_NEAR(found->focal, focal, 1e-6 * focal);
            EXPECT_LT(angleBetween(found->worldFromCamera, truth.worldFromCamera.rotation), 1e-7);
          }
}

TEST(CameraFromPicture, EdgesDrawnByHandTellItNearly) {
  std::mt19937 random(5);
  std::normal_distribution<double> noise(0.0, 1.0);  // pixels
  const PictureCamera truth = cameraAt(0.7, 0.2, 0.05, 900.0);
  double worstAngle = 0.0, worstFocal = 0.0;
  for (int run = 0; run < 100; ++run) {
    auto first = edgesAlong(0, truth), second = edgesAlong(2, truth);
    for (auto* edges : {&first, &second})
      for (PictureEdge& edge : *edges)
        for (Eigen::Vector2d* end : {&edge.from, &edge.to}) *end += Eigen::Vector2d(noise(random), noise(random));
    const auto found = cameraFromEdges(first, second, truth);
    ASSERT_TRUE(found);
    worstAngle = std::max(worstAngle, angleBetween(found->worldFromCamera, truth.worldFromCamera.rotation));
    worstFocal = std::max(worstFocal, std::abs(found->focal / truth.focal - 1.0));
  }
  EXPECT_LT(worstAngle, 0.05);
  EXPECT_LT(worstFocal, 0.1);
}

TEST(CameraFromPicture, EdgesThatStayParallelLeaveTheFocalLength) {
  const PictureCamera truth = cameraAt(0.0, 0.0, 0.1, 800.0);  // sees x and y without foreshortening
  PictureCamera present = cameraAt(0.2, 0.1, 0.0, 1100.0);
  const auto found = cameraFromEdges(edgesAlong(0, truth), edgesAlong(1, truth), present);
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->tellsFocal);
  EXPECT_EQ(found->focal, 1100.0);
  EXPECT_LT(angleBetween(found->worldFromCamera, truth.worldFromCamera.rotation), 1e-9);
}

TEST(CameraFromPicture, EdgesThatTellNothingAreRefused) {
  const PictureCamera camera = cameraAt(0.7, 0.2, 0.0, 900.0);
  const auto good = edgesAlong(0, camera);
  const std::array<PictureEdge, 2> onOneLine = {PictureEdge{{100.0, 100.0}, {200.0, 150.0}},
                                                PictureEdge{{300.0, 200.0}, {500.0, 300.0}}};
  const std::array<PictureEdge, 2> empty = {PictureEdge{{100.0, 100.0}, {100.0, 100.0}},
                                            PictureEdge{{300.0, 200.0}, {300.0, 200.0}}};
  const std::array<PictureEdge, 2> notFinite = {PictureEdge{{NAN, 100.0}, {100.0, 100.0}}, good[1]};
  for (const auto& bad : {onOneLine, empty, notFinite, good}) {  // nor does a repeated direction
    EXPECT_FALSE(cameraFromEdges(good, bad, camera));
    EXPECT_FALSE(cameraFromEdges(bad, good, camera));
  }
}

TEST(CameraFromPicture, FeetAndTopOfAFigureTellThePlace) {
  for (const double pitch : {-0.1, 0.0, 0.3, 0.9}) {
    const PictureCamera truth = cameraAt(0.4, pitch, 0.1, 900.0);
    const Eigen::Vector3d ground(0.2, 0.0, -0.3);
    PictureCamera moved = truth;
    moved.worldFromCamera.translation += Eigen::Vector3d(1.0, 2.0, 3.0);
    const auto found =
        cameraFromHeight(moved, truth.project(ground), truth.project(ground + Eigen::Vector3d(0, 1.7, 0)), ground, 1.7);
    ASSERT_TRUE(found);
    EXPECT_LT((found->worldFromCamera.translation - truth.worldFromCamera.translation).norm(), 1e-9);
    EXPECT_EQ(found->focal, truth.focal);
  }
}

TEST(CameraFromPicture, AFigureOnItsHeadOrWithoutHeightTellsNoPlace) {
  const PictureCamera camera = cameraAt(0.4, 0.1, 0.0, 900.0);
  const Eigen::Vector2d low(500.0, 600.0), high(510.0, 200.0);
  EXPECT_TRUE(cameraFromHeight(camera, low, high, Eigen::Vector3d::Zero(), 1.7));
  EXPECT_FALSE(cameraFromHeight(camera, high, low, Eigen::Vector3d::Zero(), 1.7));
  EXPECT_FALSE(cameraFromHeight(camera, low, low, Eigen::Vector3d::Zero(), 1.7));
}

TEST(CameraFromPicture, FeetAndTopOfAFigureTellSizeAndPlaceOfParallelRays) {
  PictureCamera truth = cameraAt(0.4, 0.2, 0.1, 310.0);
  truth.isParallel = true;
  const Eigen::Vector3d ground(0.2, 0.0, -0.3), top = ground + Eigen::Vector3d(0.0, 1.7, 0.0);
  PictureCamera moved = truth;
  moved.worldFromCamera.translation += Eigen::Vector3d(1.0, 2.0, 3.0);
  moved.focal = 40.0;
  const auto found = cameraFromHeight(moved, truth.project(ground), truth.project(top), ground, 1.7);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->focal, 310.0, 1e-9);
  EXPECT_LT((found->project(ground) - truth.project(ground)).norm(), 1e-9);
  EXPECT_LT((found->project(top) - truth.project(top)).norm(), 1e-9);
  EXPECT_EQ(found->worldFromCamera.rotation, truth.worldFromCamera.rotation);
  EXPECT_NEAR(found->depthOf(ground), moved.depthOf(ground), 1e-12) << "the plane stays where it is";
  EXPECT_FALSE(cameraFromHeight(moved, truth.project(top), truth.project(ground), ground, 1.7)) << "on its head";
  moved.worldFromCamera.rotation << 1, 0, 0, 0, 0, -1, 0, 1, 0;  // from above, where no height is seen
  EXPECT_FALSE(cameraFromHeight(moved, {500.0, 600.0}, {500.0, 200.0}, ground, 1.7));
}

}  // namespace
}  // namespace limber::camera_from_picture_test
