// SPDX-License-Identifier: MIT
// First page of src/limber/vision: finds the camera of a picture, and the pose of a figure in it, from pixels.
//
// A PictureCamera projects points of the world to pixels and turns pixels into rays. Its position is found from points
// whose positions are known (camera_from_points.h), or from edges or a height (camera_from_picture.h). With a known
// camera, a PictureFitter poses a figure such that its points project to the pixels where they were seen.
//
// Read next: vision/picture_camera.h, vision/camera_from_points.h, vision/picture_fitter.h.
#include <gtest/gtest.h>

#include "limber/kinematics/forward_kinematics.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/vision/camera_from_points.h"
#include "limber/vision/picture_fitter.h"

namespace limber::vision_first_page {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

/// 5 m in front of the origin, at a height of 1 m; the middle of the picture is at (400, 300).
PictureCamera makeCamera() { return cameraLookingAt({0, 1, 5}, {0, 1, 0}, 1000.0, {400, 300}); }

TEST(VisionFirstPage, APointFallsOnAPixelAndThePixelIsARay) {
  const PictureCamera camera = makeCamera();
  // 0.5 m to the right and 1 m up, 5 m away: 1000 / 5 pixels per metre. Pixels count downward.
  const Vector2d pixel = camera.project({0.5, 2.0, 0.0});
  EXPECT_LT((pixel - Vector2d(400 + 100, 300 - 200)).norm(), 1e-9);
  EXPECT_LT((camera.pointAt(pixel, 5.0) - Vector3d(0.5, 2.0, 0.0)).norm(), 1e-9);
}

TEST(VisionFirstPage, TheCornersOfABoxTellWhereTheCameraStood) {
  const PictureCamera camera = makeCamera();
  std::vector<SightedPoint> corners;
  for (const double x : {-0.5, 0.5})
    for (const double y : {0.0, 1.8})
      for (const double z : {-0.3, 0.3}) corners.push_back({{x, y, z}, camera.project({x, y, z})});
  const auto found = cameraFromPoints(corners, camera.centre, {.knownFocal = 1000.0});
  ASSERT_TRUE(found);
  EXPECT_LT((found->camera.worldFromCamera.translation - Vector3d(0, 1, 5)).norm(), 1e-3);
}

TEST(VisionFirstPage, PixelsOfAnElbowAndATipGiveThePose) {
  // An arm in the plane z = 0, which the camera sees from the front: one picture determines the pose.
  const auto figure = makePlanarChain(2);
  const IkProblem problem = makeIkProblem(figure);
  const std::vector<FitPoint> points = {{0, {0, {1, 0, 0}}}, {1, {1, {1, 0, 0}}}};
  const Kinematics wanted = transformsOf(*figure, {Vector2d(0.4, 0.9)});
  PictureView view{makeCamera(), {}};
  for (const FitPoint& point : points)
    view.seen.push_back({view.camera.project(wanted.worldFromLink[point.point.link] * point.point.pointInLink)});

  PictureFitter fitter(problem, points, {.priorWeight = 0.0});
  ASSERT_EQ(fitter.fault(), "");
  const FittedPicture fitted = fitter.fit({&view, 1});
  EXPECT_LT((fitted.pose.coordinates - Vector2d(0.4, 0.9)).norm(), 1e-3);
  EXPECT_LT(fitted.error, 0.5) << "pixels";
}

}  // namespace
}  // namespace limber::vision_first_page
