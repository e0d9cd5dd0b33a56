// SPDX-License-Identifier: MIT
// Motions, blends between keys and bakes of figures with closed loops.
#include "limber/scene/closed_motion.h"

#include <gtest/gtest.h>

#include "limber/kinematics/loops.h"
#include "limber/scene/bake.h"
#include "limber/scene/keyed_poses.h"
#include "support/loop_figures.h"
#include "support/says.h"

namespace limber::closed_motion_test {
namespace {

void expectClosed(const Figure& figure, const Pose& pose, const std::string& where) {
  const LoopGap gap = largestGap(figure, pose);
  EXPECT_LE(gap.length, 1e-9) << where;
  EXPECT_LE(gap.angle, 1e-6) << where;
}

std::shared_ptr<Motion> openMotion(const Figure& figure) {
  auto motion = std::make_shared<Motion>();
  for (int frame = 0; frame < 20; ++frame) motion->append(test::disturbed(figure, 0.1, 0.1 * frame));
  return motion;
}

TEST(ClosedMotion, EveryFrameIsClosedAndContinuesTheOneBefore) {
  for (const test::LoopFigure& looped : test::loopFigures()) {
    const Figure& figure = *looped.figure;
    std::vector<std::string> notes;
    const auto motion = openMotion(figure);
    const auto closed = closedMotion(makeIkProblem(looped.figure), motion, notes);
    ASSERT_EQ(notes.size(), 1u);
    EXPECT_TRUE(test::says(notes[0], {"20 of 20 frames were moved to close loops"})) << notes[0];
    ASSERT_EQ(closed->frameCount, 20);
    for (int frame = 0; frame < 20; ++frame) {
      expectClosed(figure, closed->storedPose(figure, frame), looped.name);
      if (frame > 0) {
        EXPECT_LT(largestTurnBetween(figure, closed->poseAt(figure, frame - 1), closed->poseAt(figure, frame)), 0.2)
            << looped.name << ' ' << frame;
      }
    }
    notes.clear();
    EXPECT_EQ(closedMotion(makeIkProblem(looped.figure), closed, notes), closed) << "nothing is left to do";
    EXPECT_TRUE(notes.empty());
  }
}

TEST(ClosedMotion, PosesOfAMotionAreClosedBetweenFramesToo) {
  for (const test::LoopFigure& looped : test::loopFigures()) {
    const auto motion = openMotion(*looped.figure);
    EXPECT_FALSE(largestGap(*looped.figure, motion->storedPose(*looped.figure, 3)).isClosed());
    expectClosed(*looped.figure, motion->poseAt(*looped.figure, 3), looped.name);
    expectClosed(*looped.figure, motion->poseAtSeconds(*looped.figure, 0.1234), looped.name);
  }
}

TEST(ClosedMotion, BlendsBetweenKeysAreClosedWhenShownAndBaked) {
  for (const test::LoopFigure& looped : test::loopFigures()) {
    Document document = makeDocument(looped.figure);
    Timeline& timeline = changeTimeline(document);
    timeline.length = 1.0;
    for (int key = 0; key < 3; ++key)
      timeline.keys.push_back({.time = 0.5 * key, .pose = test::closedPose(looped.figure, 0.2, 1.5 * key)});
    const KeyedPoses keyed(document);
    for (int frame = 0; frame < 24; frame += 5) expectClosed(*looped.figure, *keyed.at(frame), looped.name);
    const BakeResult result = bake(document, {.framesPerSecond = 60.0});
    ASSERT_EQ(result.fault, "") << looped.name;
    ASSERT_TRUE(result.motion);
    for (int frame = 0; frame < result.motion->frameCount; ++frame)
      expectClosed(*looped.figure, result.motion->storedPose(*looped.figure, frame), looped.name);
    EXPECT_LT(result.largestTurn, 0.35) << looped.name;
    EXPECT_EQ(result.jumps, 0) << looped.name;
  }
}

}  // namespace
}  // namespace limber::closed_motion_test
