// SPDX-License-Identifier: MIT
// One clock for motions, layers of keys, keys of poses and goals, and paths.
#include "limber/scene/clock.h"

#include <gtest/gtest.h>

#include "limber/kinematics/standard_figures.h"
#include "limber/problem/goal_error.h"
#include "limber/scene/bake.h"
#include "limber/scene/player.h"

namespace limber::clock_test {
namespace {

using V = Eigen::Vector3d;

constexpr int kFrames = 50;
constexpr double kFrameTime = 0.04;

/// A planar chain of five links that bends during two seconds, with a goal at its tip.
Document bending() {
  const auto figure = makePlanarChain(5);
  auto motion = std::make_shared<Motion>();
  motion->frameTime = kFrameTime;
  for (int frame = 0; frame < kFrames; ++frame)
    motion->append({Eigen::VectorXd::Constant(figure->poseSize(), 0.2 + 0.01 * frame)});
  return makeDocument(figure, motion);
}

TEST(Clock, OfAMotionAloneCountsItsFrames) {
  Document document = bending();
  EXPECT_TRUE(showsMotion(document));
  EXPECT_EQ(clockOf(document).frameCount, kFrames);
  EXPECT_NEAR(clockOf(document).length(), (kFrames - 1) * kFrameTime, 1e-12);
  showFrame(document, 20);
  EXPECT_EQ(currentFrame(document), 20);
  EXPECT_NEAR(document.time, 0.8, 1e-12);
  showTime(document, 0.43);
  EXPECT_EQ(document.frame, 11);
  EXPECT_EQ(document.pose, document.motion->poseAt(*document.figure, 11));
}

TEST(Clock, TheFirstKeyOverAMotionTakesItsLengthAndRate) {
  Document document = bending();
  showFrame(document, 10);
  ASSERT_TRUE(keyGoals(document));
  EXPECT_FALSE(showsMotion(document));
  EXPECT_EQ(clockOf(document).frameCount, kFrames);
  EXPECT_NEAR(clockOf(document).framesPerSecond, 25.0, 1e-9);
  EXPECT_EQ(currentFrame(document), 10);
  EXPECT_TRUE(motionBeneath(document));
  EXPECT_TRUE(keysLayer(document));
}

TEST(Clock, ATimelineHasRoomForALoadedMotion) {
  Document document = bending();
  const auto motion = document.motion;
  setMotion(document, nullptr);
  addPath(document, 1);
  changeTimeline(document).length = 0.5;
  takeMotions(document, {motion}, motion);
  EXPECT_NEAR(document.timeline->length, (kFrames - 1) * kFrameTime, 1e-12);
  EXPECT_EQ(clockOf(document).frameCount, 59) << "30 per second";
}

TEST(Clock, APathMovesItsGoalOverTheMotion) {
  Document document = bending();
  addPath(document, 1);
  TargetPath& path = *findPath(changeTimeline(document), 1);
  path.points = {V(2.0, 2.0, 0.0), V(-1.0, 3.0, 0.0)};
  Player player(document);
  Posing posing;
  Kinematics kinematics;
  for (int frame = 0; frame < kFrames; frame += 7) {
    const auto request = player.cue(frame * kFrameTime, frame > 0, document);
    ASSERT_TRUE(request);
    EXPECT_EQ(request->startPose, document.motion->poseAt(*document.figure, frame)) << "the motion is the reference";
    EXPECT_EQ(document.frame, frame);
    solveToEnd(posing, document, *request);
    computeKinematics(*document.figure, document.pose, kinematics);
    EXPECT_LT(goalErrorOf(document, kinematics, document.goals[0]).length, 1e-3) << frame;
  }
}

TEST(Clock, ABakedMotionIsNotBeneathItsOwnTimeline) {
  Document document = bending();
  addPath(document, 1);
  takeBaked(bake(document), document);
  ASSERT_TRUE(document.motion->isBaked);
  EXPECT_FALSE(motionBeneath(document));
  EXPECT_TRUE(hasFrames(document));
}

TEST(Clock, BetweenItsFramesAMotionIsInterpolated) {
  const Document document = bending();
  const Figure& figure = *document.figure;
  EXPECT_EQ(document.motion->poseAtSeconds(figure, 5 * kFrameTime), document.motion->poseAt(figure, 5));
  EXPECT_NEAR(document.motion->poseAtSeconds(figure, 5.5 * kFrameTime).coordinates[2], 0.255, 1e-12);
  EXPECT_EQ(document.motion->poseAtSeconds(figure, 1e9), document.motion->poseAt(figure, kFrames - 1));
}

}  // namespace
}  // namespace limber::clock_test
