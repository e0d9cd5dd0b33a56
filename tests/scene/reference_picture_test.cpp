// SPDX-License-Identifier: MIT
#include "limber/scene/reference_picture.h"

#include <gtest/gtest.h>

#include "limber/kinematics/forward_kinematics.h"
#include "limber/kinematics/standard_figures.h"
#include "limber/problem/goal_error.h"
#include "limber/problem/goal_types.h"
#include "limber/scene/document.h"

namespace limber::reference_picture_test {
namespace {

/// A tilted camera two metres from the origin, which does not look through the middle of its picture.
ReferencePicture picture() {
  ReferencePicture out{.file = std::make_shared<PictureFile>(), .width = 640, .height = 480};
  out.camera = cameraLookingAt({0.4, 1.2, 2.0}, {0.1, 0.3, -0.1}, 700.0, {300.0, 250.0});
  out.camera.worldFromCamera.rotation *= Eigen::AngleAxisd(0.2, Eigen::Vector3d::UnitZ()).toRotationMatrix();
  return out;
}

Document chainWithPicture() {
  Document document = makeDocument(makeBallChain(3));
  document.goals.clear();
  addPicture(document, picture());
  return document;
}

void expectNear(const Eigen::Vector2d& a, const Eigen::Vector2d& b) { EXPECT_LT((a - b).norm(), 1e-8) << a << b; }

Eigen::Vector2d pixelOf(const Document& document, const GoalItem& goal) {
  return pictureOf(document, goal)->camera.project(goal.target);
}

TEST(ReferencePicture, CornersAreSeenInTheCornersOfTheShownPart) {
  ReferencePicture cut = picture();
  cut.crop = {0.1, 0.2, 0.3, 0.05};
  const auto corners = cornersAt(cut, 3.0);
  const double left = 64.0, top = 96.0, right = 448.0, bottom = 456.0;
  expectNear(cut.camera.project(corners[0]), {left, top});
  expectNear(cut.camera.project(corners[1]), {right, top});
  expectNear(cut.camera.project(corners[2]), {right, bottom});
  expectNear(cut.camera.project(corners[3]), {left, bottom});
  for (const Eigen::Vector3d& corner : corners) EXPECT_NEAR(cut.camera.depthOf(corner), 3.0, 1e-12);
  EXPECT_TRUE(cut.contains({65.0, 97.0}));
  EXPECT_FALSE(cut.contains({63.0, 97.0}));
  EXPECT_FALSE(cut.contains({65.0, 457.0}));
}

TEST(ReferencePicture, AGoalIsMetWhereThePointIsSeenAtThePixel) {
  Document document = chainWithPicture();
  const FigurePoint point{2, {0.05, 0.1, 0.0}};
  const Kinematics kinematics = transformsOf(*document.figure, document.pose);
  const Eigen::Vector3d place = kinematics.worldFromLink[2] * point.pointInLink;
  const Eigen::Vector2d seen = document.pictures[0].camera.project(place);
  const int id = addSeenGoal(document, point, document.shownPicture, seen);
  EXPECT_LT(goalErrorOf(document, kinematics, *findGoal(document, id)).length, 1e-12);
  const Eigen::Vector2d aside = seen + Eigen::Vector2d(30.0, -20.0);
  seeAt(document, *findGoal(document, id), aside);
  const GoalItem& goal = *findGoal(document, id);
  expectNear(pixelOf(document, goal), aside);
  EXPECT_NEAR(document.pictures[0].camera.depthOf(goal.target), document.pictures[0].camera.depthOf(place), 1e-12);
  const double away = std::hypot(30.0, 20.0) * document.pictures[0].camera.depthOf(place) / 700.0;
  EXPECT_NEAR(goalErrorOf(document, kinematics, goal).length, away, 0.1 * away);
  // Anywhere on the ray the goal is met.
  const Eigen::Vector3d ray = document.pictures[0].camera.rayThrough(aside).direction;
  EXPECT_LT(ray.cross(goal.targetFrame.col(0)).norm(), 1e-12);
}

TEST(ReferencePicture, AMarkKeepsItsPixelWhenTheCameraMoves) {
  Document before = chainWithPicture();
  const int id = addSeenGoal(before, {1}, before.shownPicture, {200.0, 150.0});
  Document after = before;
  after.pictures[0].camera = cameraLookingAt({-2.0, 0.5, 1.0}, {0.0, 0.5, 0.0}, 500.0, {320.0, 240.0});
  keepSeenGoals(before, after);
  const GoalItem& goal = *findGoal(after, id);
  expectNear(pixelOf(after, goal), {200.0, 150.0});
  EXPECT_LT(after.pictures[0].camera.rayThrough({200.0, 150.0}).direction.cross(goal.targetFrame.col(0)).norm(), 1e-12);
}

TEST(ReferencePicture, OnAPlaneItStaysThereAndItsMarksAreOnParallelLines) {
  Document document = chainWithPicture();
  PictureCamera& camera = document.pictures[0].camera;
  camera = cameraLookingAt({0.0, 0.5, -3.0}, {0.0, 0.5, -4.0}, 150.0, {320.0, 240.0});  // beyond the chain
  camera.isParallel = true;
  for (const double depth : {0.5, 3.0})
    for (const Eigen::Vector3d& corner : cornersAt(document.pictures[0], depth)) EXPECT_NEAR(corner.z(), -3.0, 1e-12);
  const int id = addSeenGoal(document, {1}, document.shownPicture, {200.0, 150.0});
  const GoalItem goal = *findGoal(document, id);
  expectNear(pixelOf(document, goal), {200.0, 150.0});
  EXPECT_LT((goal.targetFrame.col(0) - camera.ahead()).norm(), 1e-12);
  const Kinematics kinematics = transformsOf(*document.figure, document.pose);
  EXPECT_NEAR(goal.target.z(), kinematics.worldFromLink[1].translation.z(), 1e-12) << "as deep as the point";
  // Its scale and its place change, then it stands before a pinhole: the pixel stays, and so does the depth.
  Document after = document;
  after.pictures[0].camera.focal = 90.0;
  after.pictures[0].camera.worldFromCamera.translation += Eigen::Vector3d(0.3, -0.2, 0.7);
  keepSeenGoals(document, after);
  expectNear(pixelOf(after, *findGoal(after, id)), {200.0, 150.0});
  EXPECT_NEAR(findGoal(after, id)->target.z(), goal.target.z(), 1e-12);
  Document pinhole = after;
  pinhole.pictures[0].camera = cameraLookingAt({0.0, 0.5, 4.0}, {0.0, 0.5, 0.0}, 500.0, {320.0, 240.0});
  keepSeenGoals(after, pinhole);
  expectNear(pixelOf(pinhole, *findGoal(pinhole, id)), {200.0, 150.0});
  EXPECT_NEAR(findGoal(pinhole, id)->target.z(), goal.target.z(), 1e-12);
}

TEST(ReferencePicture, AMarkIsSeenWhereItsTargetWasMoved) {
  Document before = chainWithPicture();
  const int id = addSeenGoal(before, {1}, before.shownPicture, {200.0, 150.0});
  Document after = before;
  findGoal(after, id)->target += Eigen::Vector3d(0.1, 0.05, -0.02);
  const Eigen::Vector3d moved = findGoal(after, id)->target;
  keepSeenGoals(before, after);
  const GoalItem& goal = *findGoal(after, id);
  EXPECT_EQ(goal.target, moved);
  const Eigen::Vector3d ray = moved - after.pictures[0].camera.worldFromCamera.translation;
  EXPECT_LT(ray.normalized().cross(goal.targetFrame.col(0)).norm(), 1e-12);
  // Behind the camera nothing is seen.
  Document behind = before;
  const Transform& camera = before.pictures[0].camera.worldFromCamera;
  findGoal(behind, id)->target = camera.translation - camera.rotation.col(2);
  keepSeenGoals(before, behind);
  EXPECT_EQ(findGoal(behind, id)->target, findGoal(before, id)->target);
  // Its line has no direction of its own.
  Document turned = before;
  findGoal(turned, id)->targetFrame.setIdentity();
  keepSeenGoals(before, turned);
  EXPECT_EQ(findGoal(turned, id)->targetFrame, findGoal(before, id)->targetFrame);
}

TEST(ReferencePicture, OneIsShownAndRemovingItShowsAnother) {
  Document document = chainWithPicture();
  const int first = document.shownPicture, second = addPicture(document, picture());
  EXPECT_NE(first, second);
  EXPECT_EQ(document.shownPicture, second);
  const int id = addSeenGoal(document, {1}, second, {200.0, 150.0});
  removePicture(document, second);
  EXPECT_EQ(document.shownPicture, first);
  EXPECT_EQ(findGoal(document, id)->seenIn, -1);
  EXPECT_EQ(findGoal(document, id)->type, GoalType::Line);
  removePicture(document, first);
  EXPECT_EQ(shownPicture(document), nullptr);
  EXPECT_EQ(addPicture(document, picture()), 3) << "ids are never reused";
}

}  // namespace
}  // namespace limber::reference_picture_test
